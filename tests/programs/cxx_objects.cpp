// C++: static objects, virtual functions, templates, new and delete; and a kernel of the program's own.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

struct Shape {
  virtual double area() const = 0;
  virtual const char *name() const { return "shape"; }
  virtual ~Shape() { puts("a shape is gone"); }
};

struct Square final : Shape {
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  const char *name() const override { return "square"; }
  double side;
};

struct Circle final : Shape {
  explicit Circle(double radius) : radius(radius) {}
  double area() const override { return 3 * radius * radius; }
  double radius;
};

template <typename T> class List {
public:
  ~List() { delete[] items; }
  void push(const T &item) {
    if (size == room) {
      room = room ? 2 * room : 2;
      T *more = new T[room];
      for (size_t at = 0; at < size; at++)
        more[at] = items[at];
      delete[] items;
      items = more;
    }
    items[size++] = item;
  }
  const T *begin() const { return items; }
  const T *end() const { return items + size; }

private:
  T *items = nullptr;
  size_t size = 0, room = 0;
};

struct Greeter {
  explicit Greeter(const char *name) : name(strdup(name)) { printf("hello %s\n", this->name); }
  ~Greeter() {
    printf("goodbye %s\n", name);
    free(name);
  }
  char *name;
};

Greeter first("first"), second("second");

struct alignas(64) Wide {
  char bytes[64];
};

} // namespace

int main(int argc, char **) {
  static Greeter local("local");
  List<int> squares;
  for (int n = 0; n < 10; n++)
    squares.push(n * n);
  int sum = 0;
  for (int square : squares)
    sum += square;
  printf("sum %d\n", sum);

  Shape *shapes[] = {new Square(argc + 1.0), new Circle(1.5)};
  for (const Shape *shape : shapes) {
    printf("%s %.2f\n", shape->name(), shape->area());
    delete shape;
  }
  auto *wide = new Wide;
  auto twice = [&](auto value) { return value + value; };
  printf("aligned %d, twice %d %.1f\n", reinterpret_cast<unsigned long>(wide) % 64 == 0, twice(21), twice(1.25));
  delete wide;
  return 0;
}
