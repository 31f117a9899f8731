// A small stock keeping program. `go vet` has one complaint: Report copies the lock of a Store.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Kind is what sort of article it is.
type Kind int

const (
	Unknown Kind = iota
	Tool
	Food
	Cloth
)

var kindNames = map[string]Kind{
	"tool":  Tool,
	"food":  Food,
	"cloth": Cloth,
}

// String makes a Kind readable.
func (k Kind) String() string {
	for name, kind := range kindNames {
		if kind == k {
			return name
		}
	}
	return "unknown"
}

// Price is in cents.
type Price int64

func (p Price) String() string {
	return fmt.Sprintf("%d.%02d", int64(p)/100, int64(p)%100)
}

// Article is one line of the stock.
type Article struct {
	Name   string
	Kind   Kind
	Price  Price
	Amount int
	Added  time.Time
	Tags   []string
}

// Value is what all of an article is worth.
func (a *Article) Value() Price {
	return a.Price * Price(a.Amount)
}

// Has tells whether an article has a tag.
func (a *Article) Has(tag string) bool {
	for _, own := range a.Tags {
		if strings.EqualFold(own, tag) {
			return true
		}
	}
	return false
}

// Store holds articles by their names.
type Store struct {
	mu       sync.Mutex
	articles map[string]*Article
	changes  int
}

var (
	errEmpty   = errors.New("the line is empty")
	errMissing = errors.New("there is no such article")
)

// NewStore makes a store without articles.
func NewStore() *Store {
	return &Store{articles: make(map[string]*Article)}
}

// Put adds an article, or more of it.
func (s *Store) Put(article *Article) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.articles[article.Name]
	if !ok {
		s.articles[article.Name] = article
	} else {
		known.Amount += article.Amount
		if article.Price > known.Price {
			known.Price = article.Price
		}
	}
	s.changes++
}

// Take removes so many of an article.
func (s *Store) Take(name string, amount int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.articles[name]
	if !ok {
		return 0, fmt.Errorf("take %q: %w", name, errMissing)
	}
	if amount > known.Amount {
		amount = known.Amount
	}
	known.Amount -= amount
	if known.Amount == 0 {
		delete(s.articles, name)
	}
	s.changes++
	return amount, nil
}

// Sorted gives all articles by a key.
func (s *Store) Sorted(less func(a, b *Article) bool) []*Article {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*Article, 0, len(s.articles))
	for _, article := range s.articles {
		all = append(all, article)
	}
	sort.Slice(all, func(i, j int) bool { return less(all[i], all[j]) })
	return all
}

// Total is the worth of a store, by kind.
func (s *Store) Total() map[Kind]Price {
	totals := map[Kind]Price{}
	for _, article := range s.Sorted(byName) {
		totals[article.Kind] += article.Value()
	}
	return totals
}

func byName(a, b *Article) bool { return a.Name < b.Name }

func byValue(a, b *Article) bool {
	if left, right := a.Value(), b.Value(); left != right {
		return left > right
	}
	return byName(a, b)
}

// parsePrice reads "12.50".
func parsePrice(text string) (Price, error) {
	whole, cents, found := strings.Cut(text, ".")
	euros, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("price %q: %w", text, err)
	}
	price := Price(euros * 100)
	if found {
		more, err := strconv.Atoi(cents)
		if err != nil {
			return 0, fmt.Errorf("cents of %q: %w", text, err)
		}
		price += Price(more)
	}
	return price, nil
}

// parse reads one line: name;kind;price;amount;tags.
func parse(line string, now time.Time) (*Article, error) {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "#") {
		return nil, errEmpty
	}
	fields := strings.Split(line, ";")
	if len(fields) < 4 {
		return nil, fmt.Errorf("%d fields in %q", len(fields), line)
	}
	price, err := parsePrice(fields[2])
	if err != nil {
		return nil, err
	}
	amount, err := strconv.Atoi(fields[3])
	if err != nil {
		return nil, err
	}
	article := &Article{
		Name:   fields[0],
		Kind:   kindNames[fields[1]],
		Price:  price,
		Amount: amount,
		Added:  now,
	}
	if len(fields) > 4 {
		article.Tags = strings.Split(fields[4], ",")
	}
	return article, nil
}

// Fill reads a file into a store.
func Fill(store *Store, path string) (count int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	now := time.Now()
	scanner := bufio.NewScanner(file)
	for number := 1; scanner.Scan(); number++ {
		article, err := parse(scanner.Text(), now)
		switch {
		case errors.Is(err, errEmpty):
			continue
		case err != nil:
			return count, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		store.Put(article)
		count++
	}
	return count, scanner.Err()
}

// Report prints a store.
func Report(store Store, title string, width int) {
	line := strings.Repeat("-", width)
	fmt.Println(title)
	fmt.Println(line)
	for at, article := range store.Sorted(byValue) {
		mark := " "
		if article.Has("sale") {
			mark = "*"
		}
		fmt.Printf("%3d %s %-20s %8s x %d\n", at+1, mark, article.Name, article.Price, article.Amount)
	}
	for kind, total := range store.Total() {
		fmt.Printf("%s: %s\n", kind, total)
	}
	fmt.Println(line)
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: stock FILE [NAME AMOUNT]")
	os.Exit(2)
}

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	store := NewStore()
	count, err := Fill(store, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d articles\n", count)
	if len(os.Args) == 4 {
		amount, err := strconv.Atoi(os.Args[3])
		if err != nil {
			usage()
		}
		taken, err := store.Take(os.Args[2], amount)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		fmt.Printf("%d of %d taken\n", taken, amount)
	}
	Report(*store, "stock", 40)
	if count > 10 {
		Report(*store, "again", 60)
	}
}
