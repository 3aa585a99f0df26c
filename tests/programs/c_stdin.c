// Standard input, and commands of the host.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char line[16];
  int first = getchar();
  ungetc(first, stdin);
  printf("first %d\n", first);
  while (fgets(line, sizeof line, stdin)) {
    size_t length = strlen(line);
    printf("%zu %s", length, line);
    if (line[length - 1] != '\n')
      puts("|");
  }
  printf("end %d error %d\n", feof(stdin) != 0, ferror(stdin) != 0);
  if (argc > 1) {
    fflush(stdout);
    int status = system(argv[1]);
    printf("status %d, commands %d\n", status, system(NULL));
    errno = ENOENT;
    perror("what failed");
    errno = 0;
    perror("");
  }
  return 0;
}
