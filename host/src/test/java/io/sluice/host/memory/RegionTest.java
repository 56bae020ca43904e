package io.sluice.host.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RegionTest {
  private static final String SMAPS =
      """
      80000000-a0000000 rw-p 00000000 00:00 0
      Size:             524288 kB
      Rss:              262144 kB
      Anonymous:        262144 kB
      VmFlags: rd wr mr mw me ac mg
      a0000000-100000000 ---p 00000000 00:00 0
      Rss:                   0 kB
      7f0000000000-7f0000001000 r--p 00000000 08:01 1234    /usr/lib/libc.so.6
      Rss:                   4 kB
      7f0000001000-7f0000002000 rw-s 00000000 00:01 77    /dev/zero (deleted)
      Rss:                   4 kB
      7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0    [vdso]
      Rss:                   4 kB
      """;

  private final List<Region> regions = Region.parse(SMAPS);

  @Test
  void mappings_of_no_file_are_a_process_s_own() {
    assertThat(regions.stream().map(Region::isPrivateMemory))
        .containsExactly(true, true, false, false, false);
    assertThat(regions.get(0).residentBytes()).isEqualTo(256L << 20);
  }

  @Test
  void the_heap_is_the_mappings_that_span_its_largest_size() {
    assertThat(HeapRange.find(regions, 2L << 30))
        .contains(new HeapRange(0x80000000L, 0x100000000L));
    assertThat(HeapRange.find(regions, 1L << 30)).isEmpty();
    assertThat(HeapRange.find(regions, 0)).isEmpty();
  }

  @Test
  void sizes_are_those_of_the_jvm() {
    assertThat(HeapRange.bytes("512m")).isEqualTo(512L << 20);
    assertThat(HeapRange.bytes("8G")).isEqualTo(8L << 30);
    assertThat(HeapRange.bytes("4096")).isEqualTo(4096);
    assertThat(HeapRange.bytes("half")).isZero();
  }
}
