// What lop is shown of Go: a bit of each kind of thing.
package sample

import (
	"fmt"
	str "strings"
	_ "os"
)

const limit = 0x10

const (
	Red Color = iota
	Green
	Blue
)

type Color int

type Shape interface {
	Area() float64
	fmt.Stringer
}

type Number interface {
	~int | ~float64
}

type Square struct {
	Side float64 `json:"side"`
	name string
	*Point
}

type Point struct{ X, Y int }

type Handler func(name string, rest ...int) (int, error)

var (
	table = map[string][]int{"a": {1, 2}, "b": nil}
	grid  [2][3]int
)

func (s *Square) Area() float64 { return s.Side * s.Side }

func Sum[T Number](numbers ...T) (total T) {
	for _, n := range numbers {
		if n > limit {
			continue
		} else if n < 0 {
			break
		} else {
			total += n
		}
	}
	for i := 0; i < 3; i++ {
		grid[i%2][i] ^= i << 1
	}
	for total > 100 {
		total /= 2
	}
	return
}

func run(file string, in <-chan int, out chan<- string) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("bad: %v", r)
		}
	}()
	switch x := any(n).(type) {
	case int, string:
		n = 1
	case nil:
		fallthrough
	default:
		_ = x
	}
	switch {
	case n > 1 && !str.Contains(file, "x"):
		n++
	case n == 0:
		n--
	}
outer:
	for {
		select {
		case v, ok := <-in:
			if !ok {
				break outer
			}
			out <- fmt.Sprint(v)
		default:
			goto done
		}
	}
done:
	go func(i int) { out <- "x" }(1)
	return len(table["a"][0:2:3]), nil
}

func Main() {
	var shape Shape = &Square{Side: 1.5, Point: &Point{1, 2}}
	if s, ok := shape.(*Square); ok {
		s.name = `raw
text`
	}
	add := func(a, b int) int { return a + b }
	var handler Handler = func(name string, rest ...int) (int, error) {
		return add(1, -2) &^ 3, nil
	}
	numbers := []int{1, 2, 3,
		4,
	}
	fmt.Println(
		Sum[int](numbers...),
		'\n', handler,
	)
	var p *int
	if p != nil && *p == 3 { fmt.Println("one line") }
	{
		x, y := 1, 2
		x, y = y, x
	}
}
