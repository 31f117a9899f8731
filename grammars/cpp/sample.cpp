// What lop is shown of C++: a bit of each kind of thing.
#include <vector>
#include <map>

#define REPEAT(n, body) for (int n##_ = 0; n##_ < n; ++n##_) { body; }

namespace shapes {

class Shape {
public:
    Shape() = default;
    explicit Shape(int id) : id_(id), name_{"none"} {}
    virtual ~Shape() {}
    virtual double area() const = 0;
    int id() const noexcept { return id_; }

protected:
    int id_ = 0;
    const char *name_;
};

class Square final : public Shape {
public:
    explicit Square(double side) : Shape(4), side_(side) {}
    double area() const override { return side_ * side_; }
    bool operator<(const Square &other) const { return side_ < other.side_; }
    friend class Circle;

private:
    double side_;
};

enum class Color : unsigned char { Red, Green = 2, Blue };

}  // namespace shapes

template <typename T, int N = 4>
struct Buffer {
    using value_type = T;
    T data[N];
    static constexpr int size = N;
    template <typename F>
    void each(F &&f) {
        for (auto &item : data) f(item);
    }
};

template <>
struct Buffer<bool> {
    unsigned bits;
};

template <typename... Ts>
int count(Ts... ts) {
    return sizeof...(ts);
}

template <typename T>
concept Small = sizeof(T) < 16;

template <class K, class V>
using Table = std::map<K, std::vector<std::vector<V>>>;

static int twice(int x) { return x * 2; }

int run(const std::vector<int> &numbers) {
    int sum = 0;
    auto add = [&sum, factor = 2](int n) mutable -> int { return sum += n * factor; };
    for (int n : numbers) {
        if (auto m = add(n); m > 10) {
            break;
        } else if (n < 0) {
            continue;
        }
    }
    try {
        if (sum == 3) throw shapes::Color::Red;
    } catch (const shapes::Color &color) {
        sum = static_cast<int>(color);
    } catch (...) {
        sum = -1;
    }
    switch (sum) {
    case 1: {
        sum = twice(1);
        break;
    }
    default:
        sum ^= 0x1F;
    }
    return sum > 0 ? sum : ~sum;
}

namespace hidden __attribute__((visibility("default"))) {

template <class T> struct Holder {
    T value __attribute__((unused)) = T();
    void copy(const Holder &other, int how = {}) const;
};
extern template class Holder<int>;
template <class T> void drop(T &&) = delete;
struct Plain { int value; };
__extension__ typedef int Plain::*Member;

int read(const Plain &plain, Member member) __attribute__((noinline));

struct Pointer {
    Plain *to;
    Plain *operator->() const { return to; }
};
int follow(const Pointer &pointer) { return pointer.operator->()->value; }

} // namespace hidden

int main() {
    Table<int, const char *> table;
    Buffer<Buffer<int, 2>, 3> nested{};
    shapes::Shape *shape = new shapes::Square(1.5);
    const char *raw = R"(a "quoted" line)";
    nested.each([](auto &inner) { inner.data[0] = 1; });
    table[1].push_back({raw, nullptr, L"wide" ? "x" : nullptr});
    double area = shape->area() + (*shape).id();
    delete shape;
    while (area-- > 1) {
        do area /= 2; while (area > 100);
    }
    REPEAT(3, run(numbers()));
    return run(std::vector<int>{1, 2}) + count(1, 'c', "s") + (int)area;
}
