package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.console.HostView.Configuration;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests which changes of the configuration file are seen, and when. */
@DisabledOnOs(OS.WINDOWS)
class WatchedFileTest extends ReloadsFixture {

  @Test
  void a_secret_that_changes_needs_a_restart_and_is_not_told() throws Exception {
    Path secret = Files.writeString(folder.resolve("token"), "hunter2\n");
    begin(withCluster("admin: {token: '${file:" + secret + "}'}"));
    Files.writeString(secret, "hunter3\n");

    pass(2);

    assertThat(reloads.state().pending()).isEqualTo("admin.token");
    assertThat(shown("admin.token").value()).isEqualTo("****");
    assertThat(shown("admin.token").afterRestart()).isEqualTo("****");
    assertThat(reloads.state().toString() + lines() + live.shown()).doesNotContain("hunter");
  }

  /** A password inside a list is bound as null, which equals any other. */
  @Test
  void a_secret_inside_a_list_that_changes_needs_a_restart() throws Exception {
    Path secret = Files.writeString(folder.resolve("reports"), "hunter2\n");
    String roles = "[{uri: 'spiffe://a/b', role: reports, password: '${file:" + secret + "}'}]";
    X509Bundle own =
        new CertificateBuilder()
            .subject("CN=localhost")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    String tls =
        "{mode: required, certificate: %s, key: %s, clientAuth: want, trust: %s}"
            .formatted(
                Files.writeString(folder.resolve("tls.crt"), own.getCertificatePEM()),
                Files.writeString(folder.resolve("tls.key"), own.getPrivateKeyPEM()),
                folder.resolve("tls.crt"));
    begin(withCluster("cql: {tls: %s, certificateRoles: %s}".formatted(tls, roles)));
    Files.writeString(secret, "hunter3\n");

    pass(2);

    assertThat(reloads.state().pending()).isEqualTo("cql.certificateRoles");
    assertThat(reloads.state().toString() + lines() + live.shown()).doesNotContain("hunter");
  }

  @Test
  void a_changed_file_is_read_when_it_has_settled() throws Exception {
    pass(3);
    assertThat(reloads.state().reloads()).isZero();

    write("scheduling: {mode: pass");
    pass(1);
    write(withCluster("scheduling: {mode: passthrough}"));
    pass(1);
    assertThat(reloads.state().reloads()).as("half-written, then whole").isZero();
    pass(1);

    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
    assertThat(reloads.state().readFor()).isEqualTo(Reloads.FILE);
    pass(5);
    assertThat(reloads.state().reloads()).isEqualTo(1);
  }

  @Test
  void a_file_that_is_gone_is_told_once_and_when_it_is_back() throws Exception {
    Files.delete(file);
    pass(10);

    assertThat(reloads.state().error()).isEqualTo(file + " does not exist");
    assertThat(lines()).hasSize(1);
    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.OBSERVE);

    write(FIRST);
    pass(3);
    assertThat(reloads.state().error()).isNull();
    assertThat(reloads.state().reloads()).isEqualTo(2);
  }

  /** Kubernetes swaps a folder: the file is a link into a link to that folder. */
  @Test
  void a_folder_that_is_swapped_behind_a_link_is_seen() throws Exception {
    Path volume = Files.createDirectory(folder.resolve("volume"));
    Path first = Files.createDirectory(volume.resolve("..2026_11_24_1"));
    Path second = Files.createDirectory(volume.resolve("..2026_11_24_2"));
    Files.writeString(first.resolve("sluice.yml"), FIRST);
    Files.writeString(second.resolve("sluice.yml"), withCluster("scheduling: {mode: passthrough}"));
    Path data = Files.createSymbolicLink(volume.resolve("..data"), first.getFileName());
    file = Files.createSymbolicLink(volume.resolve("sluice.yml"), Path.of("..data/sluice.yml"));
    begin(FIRST);

    Path next = Files.createSymbolicLink(volume.resolve("..data_tmp"), second.getFileName());
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(first.resolve("sluice.yml"));
    Files.delete(first);
    pass(2);

    assertThat(live.now().scheduling().mode()).isEqualTo(Mode.PASSTHROUGH);
    assertThat(lines()).hasSize(1);
  }

  @Test
  void what_is_no_regular_file_is_not_read() throws Exception {
    Files.delete(file);
    Files.createDirectory(file);
    assertThat(reload()).contains("is not a regular file");
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/dev/zero"));
    assertThat(reload()).contains("is not a regular file");
    Files.delete(file);
    Files.createSymbolicLink(file, file);
    assertThat(reload()).isNotNull();
    Files.delete(file);
    Files.write(file, new byte[5 << 20]);
    assertThat(reload()).contains("larger than");
  }

  @Test
  void its_own_thread_looks_at_the_file() throws Exception {
    reloads = new Reloads(file, ConfigurationText.read(file), live, () -> now);
    List<Configuration> told = new CopyOnWriteArrayList<>();
    reloads.begin(applied::add, told::add);
    write(withCluster("scheduling: {mode: enforce}"));
    await().atMost(Duration.ofSeconds(20)).until(() -> !told.isEmpty());
    assertThat(told)
        .first()
        .extracting(Configuration::state)
        .isEqualTo(Configuration.State.CURRENT);
  }
}
