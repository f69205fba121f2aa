// A template that instantiates a binary tree of 2^24 classes.
template <unsigned depth, unsigned long path>
struct Tree {
  static constexpr unsigned long value =
      Tree<depth - 1, 2 * path>::value + Tree<depth - 1, 2 * path + 1>::value;
};
template <unsigned long path>
struct Tree<0, path> {
  static constexpr unsigned long value = path;
};
static_assert(Tree<24, 1>::value != 0);
