package io.sluice.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.agent.Maps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LibcTest {
  @TempDir private Path folder;
  private Libc libc;

  @BeforeEach
  void load() throws IOException {
    libc = Libc.load();
  }

  @Test
  void a_page_has_a_size_that_is_a_power_of_two() {
    assertThat(Integer.bitCount(libc.pageSize())).isEqualTo(1);
    assertThat(libc.pageSize()).isGreaterThanOrEqualTo(4096);
  }

  @Test
  void a_mapping_is_locked_resident_and_gone_when_unmapped() throws IOException {
    Path file = folder.resolve("a-Index.db");
    int bytes = 3 * libc.pageSize() + 1;
    Files.write(file, new byte[bytes]);

    long address = libc.map(file.toString(), bytes);
    assertThat(Maps.of(file)).isNotEmpty();
    libc.lock(address, bytes);
    assertThat(Maps.lockedBytes(file)).isEqualTo(4L * libc.pageSize());
    assertThat(libc.residentPages(address, bytes)).isEqualTo(4);

    Files.delete(file);
    assertThat(Maps.deleted(folder)).isNotEmpty();
    libc.unmap(address, bytes);
    assertThat(Maps.deleted(folder)).isEmpty();
    assertThat(Maps.of(folder)).isEmpty();
  }

  @Test
  void more_pages_than_one_answer_holds_are_counted() throws IOException {
    Path file = folder.resolve("large");
    int pages = (1 << 14) + 3;
    Files.write(file, new byte[pages * libc.pageSize()]);
    long address = libc.map(file.toString(), (long) pages * libc.pageSize());

    assertThat(libc.residentPages(address, (long) pages * libc.pageSize())).isEqualTo(pages);

    libc.unmap(address, (long) pages * libc.pageSize());
  }

  /** From now on, this JVM's own pages may be merged. Nothing else of it changes. */
  @Test
  void the_kernel_may_merge_pages_where_it_can() throws IOException {
    Path merging = Path.of("/proc/self/ksm_stat");
    assumeTrue(Files.exists(merging), "no merging of pages for whole processes");
    assumeTrue(Files.readString(merging).contains("ksm_merge_any"), "the kernel does not tell");

    libc.allowMerging();

    assertThat(Files.readString(merging)).contains("ksm_merge_any: yes");
  }

  @Test
  void a_file_and_a_folder_are_synced() throws IOException {
    Path file = Files.write(folder.resolve("a-Data.db"), new byte[100_000]);
    for (String each : new String[] {file.toString(), folder.toString()}) {
      int descriptor = libc.open(each);
      if (!each.equals(folder.toString())) {
        libc.beginWriting(descriptor);
      }
      libc.sync(descriptor);
      libc.close(descriptor);
    }
  }

  @Test
  void a_failed_call_names_the_function_and_the_errno() {
    assertThatThrownBy(() -> libc.map(folder.resolve("none").toString(), 1))
        .isInstanceOf(IOException.class)
        .hasMessage("open failed, errno 2");
    assertThatThrownBy(() -> libc.sync(-1)).hasMessage("fsync failed, errno 9");
    assertThatThrownBy(() -> libc.close(-1)).hasMessage("close failed, errno 9");
    assertThatThrownBy(() -> libc.beginWriting(-1)).hasMessage("sync_file_range failed, errno 9");
    assertThatThrownBy(() -> libc.map(folder.toString(), 1)).hasMessage("mmap failed, errno 19");
    assertThatThrownBy(() -> libc.lock(0, 4096)).hasMessage("mlock failed, errno 12");
    assertThatThrownBy(() -> libc.unmap(1, 1)).hasMessage("munmap failed, errno 22");
    assertThatThrownBy(() -> libc.residentPages(0, 4096)).hasMessage("mincore failed, errno 12");
  }
}
