# lay_out_program BUILD DIRECTORY: the installed program with all that it needs besides the packages
# of packages.txt, movable as a whole. Sourced; needs scripts/lib.sh.
# shellcheck shell=bash

# The oldest system that the package has to run on is Ubuntu 22.04.
readonly newest_glibc=2.35
readonly newest_libstdcxx=3.4.30
# Libraries that other systems have in another version or not at all come along.
readonly bundled='libcsv3 libutf8proc2 libyaml-0-2'

program_parts=$(dirname -- "${BASH_SOURCE[0]}")
readonly program_parts

lay_out_program() {
  local build=$1 target=$2
  mkdir -p -- "$target"
  cmake --install "$build" --prefix "$target" --strip >/dev/null
  bundle_libraries "$target"
  check_symbols "$target"
  mkdir -- "$target/host"
  cp -- "$program_parts/host/"* "$program_parts/packages.txt" "$target/host/"
  "$target/bin/attention-grader" ungraded \
    'Grading did not begin: it was stopped at once, or the grader does not run here.' \
    --hint 'This says nothing about the submission. Submit again, or tell the course staff.' \
    >"$target/host/ungraded.json"
  chmod -R u+rwX,go+rX,go-w -- "$target"
}

# Copies the bundled libraries, and fails for one that is neither bundled nor in packages.txt.
bundle_libraries() {
  local target=$1 library package
  while read -r library; do
    package=$(package_of "$(readlink -f -- "$library")")
    case " $bundled " in *" $package "*)
      cp -L -- "$library" "$target/lib/attention-grader/"
      continue
      ;;
    esac
    case $package in libc6 | libstdc++6 | libgcc-s1) continue ;; esac
    grep -qE "^$package( |\$)" -- "$program_parts/packages.txt" ||
      fail 2 "The program needs $library of $package, which packages.txt does not list." \
        "Add it there, or to the bundled ones in assemble.sh."
  done < <(needed_libraries "$target/bin/attention-grader")
}

# Some packages were made before /lib became a part of /usr.
package_of() {
  { dpkg-query -S "$1" 2>/dev/null || dpkg-query -S "${1#/usr}"; } | sed 's/[:,].*//;q'
}

# The files of the libraries that PROGRAM itself names; theirs come with their packages.
needed_libraries() {
  local name
  while read -r name; do
    ldd "$1" | awk -v name="$name" '$1 == name && $3 ~ "^/" { print $3 }'
  done < <(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }')
}

check_symbols() {
  local file newest limit
  while IFS= read -r file; do
    for limit in "GLIBC_$newest_glibc" "GLIBCXX_$newest_libstdcxx"; do
      newest=$({ objdump -T "$file" | grep -oE "\\b${limit%%_*}_[0-9.]+" || true; echo "$limit"; } |
        sort -V | tail -n 1)
      [ "$newest" = "$limit" ] ||
        fail 2 "$file needs $newest, which Ubuntu 22.04 does not have ($limit at most)."
    done
  done < <(find "$1/bin" "$1/lib" -type f \( -perm -u+x -o -name '*.so*' \))
}

# ungraded_result DIRECTORY FORMAT [OPTION…]: what FORMAT shows until the program runs, and where it
# does not run at all.
ungraded_result() {
  "$1/bin/attention-grader" export "$2" "$1/host/ungraded.json" "${@:3}" 2>/dev/null
}
