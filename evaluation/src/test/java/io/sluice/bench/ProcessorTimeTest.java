package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses a /proc with two processes, one of which listens. */
class ProcessorTimeTest {
  private static final String HEADER = "  sl  local_address rem_address   st ...\n";
  private static final String LINE = "   0: %s 00000000:0000 %s 0:0 0:0 0     0        0 %d 1 0\n";
  private static final int PORT = 0x2352;
  private static final String STAT =
      "42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 7 7 20 0 30 0 1000 0 0";

  @TempDir private Path proc;

  @BeforeEach
  void processes() throws IOException {
    Files.createDirectories(proc.resolve("net"));
    table("tcp", "");
    table("tcp6", "");
    process(41, 900);
    process(42, 901);
  }

  @Test
  void it_is_the_time_of_the_process_that_listens_there() throws IOException {
    table("tcp", LINE.formatted("0A00007F:2352", "0A", 901));

    ProcessorTime found = of("127.0.0.10");

    assertThat(found.isKnown()).isTrue();
    assertThat(found.seconds()).isEqualTo(3.0);
  }

  @Test
  void an_address_of_version_4_may_be_written_as_one_of_version_6() throws IOException {
    table("tcp6", LINE.formatted("0000000000000000FFFF00000A00007F:2352", "0A", 901));

    assertThat(of("127.0.0.10").isKnown()).isTrue();
  }

  @Test
  void a_process_that_listens_at_all_addresses_listens_at_each() throws IOException {
    table("tcp6", LINE.formatted("00000000000000000000000000000000:2352", "0A", 901));

    assertThat(of("127.0.0.10").isKnown()).isTrue();
  }

  @Test
  void another_address_another_port_and_a_connection_are_not_it() throws IOException {
    table(
        "tcp",
        LINE.formatted("0100007F:2352", "0A", 901)
            + LINE.formatted("0A00007F:2353", "0A", 901)
            + LINE.formatted("0A00007F:2352", "01", 901));

    assertThat(of("127.0.0.10").isKnown()).isFalse();
  }

  @Test
  void a_host_elsewhere_counts_no_time() throws IOException {
    assertThat(of("127.0.0.10").seconds()).isZero();
    assertThat(
            ProcessorTime.of(new InetSocketAddress("127.0.0.10", PORT), proc.resolve("none"))
                .isKnown())
        .isFalse();
  }

  private ProcessorTime of(String host) {
    return ProcessorTime.of(new InetSocketAddress(host, PORT), proc);
  }

  private void table(String name, String lines) throws IOException {
    Files.writeString(proc.resolve("net").resolve(name), HEADER + lines);
  }

  private void process(int pid, int inode) throws IOException {
    Path files = Files.createDirectories(proc.resolve(pid + "/fd"));
    Files.createSymbolicLink(files.resolve("3"), Path.of("socket:[" + inode + "]"));
    Files.writeString(proc.resolve(pid + "/stat"), STAT);
  }
}
