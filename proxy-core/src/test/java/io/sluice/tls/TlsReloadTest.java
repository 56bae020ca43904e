package io.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.netty.buffer.ByteBufAllocator;
import io.netty.pkitesting.X509Bundle;
import io.sluice.testkit.CapturedLog;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.TlsKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of certificate files that change while they are in use. */
class TlsReloadTest {

  private static final Instant FIRST = day(100);
  private static final Instant SECOND = day(200);

  private final TestCertificates authority = new TestCertificates();

  @TempDir private Path folder;

  private static Instant day(int days) {
    return Instant.now().plus(days, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
  }

  private X509Bundle until(Instant end) {
    return authority.issue(builder -> builder.notAfter(end));
  }

  private Tls load(TlsKeys keys) {
    return Tls.load(TestCertificates.clients(Mode.REQUIRED, keys));
  }

  @Test
  void unchanged_files_are_not_loaded_again() throws IOException {
    TlsKeys keys = TestCertificates.write(folder, "tls", until(FIRST));
    Tls tls = load(keys);
    Path certificate = Path.of(keys.certificate());
    Files.writeString(certificate, Files.readString(certificate));

    assertThat(tls.refresh()).isFalse();
    assertThat(tls.reloads(true)).isZero();
  }

  @Test
  void new_files_are_used_for_new_connections() {
    Tls tls = load(TestCertificates.write(folder, "tls", until(FIRST)));
    SSLEngine before = tls.serverEngine(ByteBufAllocator.DEFAULT);

    TestCertificates.write(folder, "tls", until(SECOND));

    assertThat(tls.notAfter()).isEqualTo(FIRST);
    assertThat(tls.refresh()).isTrue();
    assertThat(tls.notAfter()).isEqualTo(SECOND);
    assertThat(tls.reloads(true)).isOne();
    assertThat(before.isOutboundDone()).as("a connection of before goes on").isFalse();
  }

  /** The kubelet replaces a symbolic link to the folder of the files. */
  @Test
  void a_folder_that_is_swapped_by_its_link_is_seen() throws IOException {
    Path one = Files.createDirectory(folder.resolve("..one"));
    Path two = Files.createDirectory(folder.resolve("..two"));
    TestCertificates.write(one, "tls", until(FIRST));
    TestCertificates.write(two, "tls", until(SECOND));
    Path data = Files.createSymbolicLink(folder.resolve("..data"), one);
    for (String each : new String[] {"tls.crt", "tls.key"}) {
      Files.createSymbolicLink(folder.resolve(each), Path.of("..data", each));
    }
    Tls tls =
        load(
            TlsKeys.pem(
                folder.resolve("tls.crt").toString(), folder.resolve("tls.key").toString()));

    Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), two);
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

    assertThat(tls.refresh()).isTrue();
    assertThat(tls.notAfter()).isEqualTo(SECOND);
  }

  @Test
  void a_certificate_whose_key_is_not_replaced_yet_is_not_used() {
    TlsKeys keys = TestCertificates.write(folder, "tls", until(FIRST));
    Tls tls = load(keys);
    X509Bundle next = until(SECOND);

    TestCertificates.write(Path.of(keys.certificate()), next.getCertificatePathPEM());
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.notAfter()).isEqualTo(FIRST);
    assertThat(tls.reloads(false)).as("the same files are told of once").isOne();

    TestCertificates.write(Path.of(keys.key()), next.getPrivateKeyPEM());
    assertThat(tls.refresh()).isTrue();
    assertThat(tls.notAfter()).isEqualTo(SECOND);
  }

  @Test
  void an_expired_certificate_does_not_replace_a_valid_one() {
    TlsKeys keys = TestCertificates.write(folder, "tls", until(FIRST));
    Tls tls = load(keys);
    try (CapturedLog log = CapturedLog.of(Tls.class)) {
      TestCertificates.write(folder, "tls", authority.expired());

      assertThat(tls.refresh()).isFalse();
      assertThat(tls.refresh()).isFalse();
      assertThat(tls.notAfter()).isEqualTo(FIRST);
      assertThat(tls.reloads(false)).as("the same files are told of once").isOne();
      assertThat(log.warnings())
          .singleElement(STRING)
          .startsWith(
              "The certificates that were loaded before stay in use: cql.tls.certificate must hold"
                  + " a certificate that is valid now (it is valid from ")
          .endsWith(", not " + keys.certificate());
    }
  }

  @Test
  void a_certificate_that_is_not_valid_yet_is_used_when_it_is() {
    Instant start = day(1);
    AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    TlsKeys keys = TestCertificates.write(folder, "tls", until(FIRST));
    Tls tls = Tls.load(TestCertificates.clients(Mode.REQUIRED, keys), now::get);
    TestCertificates.write(
        folder, "tls", authority.issue(builder -> builder.notBefore(start).notAfter(SECOND)));
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.notAfter()).isEqualTo(FIRST);

    now.set(start);
    assertThat(tls.refresh()).isTrue();
    assertThat(tls.notAfter()).isEqualTo(SECOND);
    assertThat(tls.reloads(false)).isOne();
  }

  @Test
  void an_expired_certificate_replaces_one_that_has_expired_too() {
    Instant end = day(1);
    AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    TlsKeys keys = TestCertificates.write(folder, "tls", until(end));
    Tls tls = Tls.load(TestCertificates.clients(Mode.REQUIRED, keys), now::get);
    assertThat(tls.validityFault()).isNull();
    TestCertificates.write(folder, "tls", authority.expired());
    assertThat(tls.refresh()).isFalse();

    now.set(end.plusSeconds(1));
    assertThat(tls.refresh()).isTrue();
    assertThat(tls.validityFault()).isNotNull();
  }

  @Test
  void an_expired_certificate_is_used_at_the_start_and_logged() {
    try (CapturedLog log = CapturedLog.of(Tls.class);
        Tls tls = load(TestCertificates.write(folder, "tls", authority.expired()))) {
      tls.follow();
      assertThat(log.warnings())
          .singleElement(STRING)
          .startsWith("Peers that verify certificates refuse this side: cql.tls.certificate must")
          .endsWith("; renew it, or correct the clock of this machine");
    }
  }

  @Test
  void missing_files_leave_the_loaded_context() throws IOException {
    TlsKeys keys = TestCertificates.write(folder, "tls", until(FIRST));
    Tls tls = load(keys);
    Files.delete(Path.of(keys.key()));

    assertThat(tls.refresh()).isFalse();
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.reloads(false)).isOne();
    assertThat(tls.serverEngine(ByteBufAllocator.DEFAULT)).isNotNull();
  }

  @Test
  void files_that_are_missing_again_are_told_of_again() throws IOException {
    TlsKeys keys = TestCertificates.write(folder, "tls", until(FIRST));
    Tls tls = load(keys);
    Path key = Path.of(keys.key());
    String content = Files.readString(key);
    Files.delete(key);
    assertThat(tls.refresh()).isFalse();
    Files.writeString(key, content);
    assertThat(tls.refresh()).as("the same files").isFalse();
    Files.delete(key);
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.reloads(false)).isEqualTo(2);
  }

  @Test
  void unusable_files_that_are_missing_for_a_while_are_told_of_once() throws IOException {
    TlsKeys keys = TestCertificates.write(folder, "tls", until(FIRST));
    Tls tls = load(keys);
    Path key = Path.of(keys.key());
    TestCertificates.write(key, "broken");
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.refresh()).isFalse();
    Files.delete(key);
    assertThat(tls.refresh()).isFalse();
    TestCertificates.write(key, "broken");
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.reloads(false)).as("broken, then missing").isEqualTo(2);
  }

  @Test
  void the_previous_files_are_used_again_after_bad_ones() {
    X509Bundle first = until(FIRST);
    TlsKeys keys = TestCertificates.write(folder, "tls", first);
    Tls tls = load(keys);
    TestCertificates.write(Path.of(keys.key()), "broken");
    assertThat(tls.refresh()).isFalse();

    TestCertificates.write(folder, "tls", first);

    assertThat(tls.refresh()).isTrue();
    TestCertificates.write(Path.of(keys.key()), "broken");
    assertThat(tls.refresh()).isFalse();
    assertThat(tls.reloads(false)).as("they are told of anew").isEqualTo(2);
  }
}
