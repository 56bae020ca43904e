package io.sluice.host.memory;

import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The size of the kernel's pages, in which it counts merged memory. */
final class PageSize {
  private static final Pattern FIELD = Pattern.compile("KernelPageSize: +(\\d{1,9}) kB");

  private PageSize() {}

  /** Returns the bytes of a page of this host; of 4 KB if the tree is a copy that does not say. */
  static long bytes(HostTree tree) throws IOException {
    return in(tree.read("/proc/self/smaps").orElse("")).orElse(PageReader.PAGE);
  }

  /** Returns the bytes of a page according to {@code smaps} of a process; empty if it is not in. */
  static OptionalLong in(String smaps) {
    // Mappings of huge pages are among them, and are never the smallest.
    return FIELD
        .matcher(smaps)
        .results()
        .mapToLong(field -> 1024 * Long.parseLong(field.group(1)))
        .min();
  }
}
