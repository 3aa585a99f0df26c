// Each lane of a warp with data of its own in one call: strings of other lengths, null ones, formats and streams that differ.

#include <device_rt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  unsigned lane = (unsigned)device_thread_index();
  char name[80];
  memset(name, 'a' + lane % 26, sizeof name);
  name[lane * 2 % 70] = 0;

  // Lanes have two, one or no strings, and one that is null.
  static const char *const formats[] = {"%2u two %s %s\n", "%2u one %s\n", "%2u none\n", "%2u null %.9s|%s\n"};
  const char *first = lane % 4 == 3 ? NULL : name;
  int printed = printf(formats[lane % 4], lane, first, "second");

  // What memory holds is what was printed.
  char text[256];
  int formatted = snprintf(text, sizeof text, formats[lane % 4], lane, first, "second");
  if (formatted != printed || (int)strlen(text) != printed)
    return 1;
  fprintf(lane % 2 ? stderr : stdout, "%s", text);

  // One lane may have a wrong format: only this one gets an error.
  unsigned wrong = argc > 1 ? (unsigned)atoi(argv[1]) : 99;
  const char *volatile format = lane == wrong ? "%n" : "%u fine\n";
  int result = printf(format, lane);
  if ((result < 0) != (lane == wrong))
    return 2;
  return 0;
}
