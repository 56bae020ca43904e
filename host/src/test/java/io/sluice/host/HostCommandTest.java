package io.sluice.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.host.kernel.Folder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The commands on a copied tree, with the command lines of an operator. */
class HostCommandTest {
  private static final String SCHEDULER = "/sys/block/sda/queue/scheduler";

  @TempDir private Path temp = Path.of("");
  private Folder folder = new Folder(temp);
  private String out = "";
  private String err = "";

  @BeforeEach
  void prepare() {
    folder = new Folder(temp).kernel().ksm().disk("sda", "none [bfq] mq-deadline ", true, 128);
  }

  private int run(String... arguments) {
    StringWriter outs = new StringWriter();
    StringWriter errs = new StringWriter();
    CommandLine command =
        HostCommand.commandLine().setOut(new PrintWriter(outs)).setErr(new PrintWriter(errs));
    String[] all =
        Stream.concat(Stream.of(arguments), Stream.of("--root", temp.toString()))
            .toArray(String[]::new);
    int exitCode = command.execute(all);
    out = outs.toString();
    err = errs.toString();
    return exitCode;
  }

  @Test
  void plan_explains_and_changes_nothing() {
    Map<String, String> before = folder.snapshot();
    assertThat(run("plan")).isZero();
    assertThat(out)
        .contains(SCHEDULER + ": bfq -> mq-deadline\n    a disk with seeks: ")
        .contains("/proc/sys/vm/max_map_count: 65530 -> 1048575\n    each SSTable")
        .contains("4 to change, 2 already good, 0 to change by hand, 6 left alone");
    assertThat(folder.snapshot()).isEqualTo(before);
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void apply_status_and_undo() {
    Map<String, String> before = folder.snapshot();
    assertThat(run("apply")).isZero();
    assertThat(out)
        .contains(SCHEDULER + ": bfq -> mq-deadline")
        .endsWith("4 changed; 'sluice host undo' sets them back\n");
    assertThat(folder.text(SCHEDULER)).isEqualTo("none bfq [mq-deadline] \n");

    assertThat(run("status")).isZero();
    assertThat(out).contains("  " + SCHEDULER + ": mq-deadline, was bfq");
    assertThat(run("apply")).isZero();
    assertThat(out).isEqualTo("nothing to change\n");

    assertThat(run("undo")).isZero();
    assertThat(out).contains(SCHEDULER + ": mq-deadline -> bfq").endsWith("as before\n");
    assertThat(folder.snapshot()).isEqualTo(before);
    assertThat(run("status")).isZero();
    assertThat(out).isEqualTo("nothing is changed\n");
    assertThat(run("undo")).isZero();
  }

  @Test
  void export_prints_files() {
    assertThat(run("export")).isZero();
    assertThat(out)
        .contains("# /etc/sysctl.d/60-sluice-cassandra.conf\nvm.max_map_count = 1048575\n")
        .contains("ATTR{queue/scheduler}=\"mq-deadline\"")
        .contains("LimitMEMLOCK=infinity");
  }

  @Test
  void memory_apply_switches_merging_on_below_its_ceiling_and_undo_off() {
    Map<String, String> before = folder.snapshot();
    assertThat(run("memory", "apply", "--max-cpu", "15", "--watch", "0")).isZero();
    assertThat(folder.text("/sys/kernel/mm/ksm/run")).isEqualTo("1\n");
    assertThat(folder.text("/sys/kernel/mm/ksm/use_zero_pages")).isEqualTo("1\n");
    assertThat(folder.text("/sys/kernel/mm/ksm/advisor_max_cpu")).isEqualTo("15\n");
    assertThat(folder.text("/sys/kernel/mm/ksm/advisor_mode")).isEqualTo("none [scan-time]\n");
    assertThat(run("undo")).isZero();
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @Test
  void a_kernel_without_an_advisor_gets_a_scan_rate() throws Exception {
    for (String name : new String[] {"advisor_mode", "advisor_max_cpu", "smart_scan"}) {
      Files.delete(temp.resolve("sys/kernel/mm/ksm/" + name));
    }
    assertThat(run("memory", "apply", "--watch", "0")).isZero();
    assertThat(folder.text("/sys/kernel/mm/ksm/pages_to_scan")).isEqualTo("4000\n");
    assertThat(folder.text("/sys/kernel/mm/ksm/sleep_millisecs")).isEqualTo("100\n");
  }

  @Test
  void wrong_usage_is_explained() {
    assertThat(run("join")).isEqualTo(2);
    assertThat(err).contains("--pid").contains("sluice host join --help lists the options");
    assertThat(run("plan", "--bfq-times", "7")).isEqualTo(1);
    assertThat(err).contains("1 to 3");
    assertThat(run("memory")).isEqualTo(1);
    assertThat(err).contains("no Cassandra node runs on this host");
    assertThat(run("join", "--pid", "1", "--dirty-background-ratio", "70", "--dirty-ratio", "50"))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "join --pid 1 --limit-minutes -1, --limit-minutes must be 1 to 525600",
    "join --pid 1 --limit-minutes 0, --limit-minutes must be 1 to 525600",
    "join --pid 1 --limit-minutes 153722867280913, --limit-minutes must be 1 to 525600",
    "memory --pid 1 --sample-mb -1, --sample-mb must be at least 0",
    "memory apply --watch -1, --watch must be at least 0",
  })
  void a_number_out_of_range_is_named_with_its_option(String line, String message) {
    Map<String, String> before = folder.snapshot();
    assertThat(run(line.split(" ", -1))).isEqualTo(1);
    assertThat(err).contains(message);
    assertThat(folder.snapshot()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "join --pid 1 --jmx-user anna --jmx-password-file p, --jmx=HOST:PORT",
    "join --pid 1 --jmx-trust ca.pem, --jmx=HOST:PORT",
    "join --pid 1 --jmx a:1 --jmx-user anna, --jmx-password-file=FILE",
    "join --pid 1 --jmx a:1 --jmx-password-file p, --jmx-user=NAME",
  })
  void a_login_has_a_port_a_user_and_a_password(String line, String missing) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err).contains("Missing required").contains(missing);
  }

  @Test
  void a_password_file_without_a_password_is_named() throws Exception {
    Path file = temp.resolve("password");
    String line = "join --pid 1 --jmx a:1 --jmx-user anna --jmx-password-file " + file;
    assertThat(run(line.split(" ", -1))).isEqualTo(1);
    assertThat(err).isEqualTo("sluice: --jmx-password-file: there is no file " + file + "\n");
    Files.writeString(file, "\nsecret\n");
    assertThat(run(line.split(" ", -1))).isEqualTo(1);
    assertThat(err).isEqualTo("sluice: --jmx-password-file: no first line in " + file + "\n");
  }

  @Test
  void a_trust_file_without_a_certificate_is_named() throws Exception {
    Path file = temp.resolve("ca.pem");
    String line = "join --pid 1 --jmx a:1 --jmx-trust " + file;
    assertThat(run(line.split(" ", -1))).isEqualTo(1);
    assertThat(err).isEqualTo("sluice: --jmx-trust: there is no file " + file + "\n");
    for (String text : new String[] {"", "-----BEGIN CERTIFICATE-----\nno\n", "ca"}) {
      Files.writeString(file, text);
      assertThat(run(line.split(" ", -1))).isEqualTo(1);
      assertThat(err).isEqualTo("sluice: --jmx-trust: no certificate in " + file + "\n");
    }
  }
}
