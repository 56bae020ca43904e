package io.sluice.tls;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.setting.Secret;
import io.sluice.wire.Choices;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

/** A fuzz test of certificate and key files: each is read, or refused with a reason. */
class PemFuzzTest {

  private static final List<String> LABELS =
      List.of(
          "CERTIFICATE",
          "PRIVATE KEY",
          "RSA PRIVATE KEY",
          "EC PRIVATE KEY",
          "ENCRYPTED PRIVATE KEY");

  @FuzzTest
  void any_file_is_read_or_refused(byte[] script) {
    Choices choices = new Choices(script);
    int label = choices.below(LABELS.size() + 1);
    byte[] file = label == LABELS.size() ? choices.rest() : block(LABELS.get(label), choices);
    read(
        () ->
            Pem.certificates(file).stream()
                .map(each -> CertificateNames.of(each).toString())
                .toList());
    read(() -> Pem.key(file, null));
    read(() -> Pem.key(file, new Secret("password")));
  }

  private static byte[] block(String label, Choices choices) {
    String body = Base64.getMimeEncoder().encodeToString(choices.rest());
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, body, label)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private interface Reading {
    Object read() throws GeneralSecurityException;
  }

  private static void read(Reading reading) {
    try {
      reading.read();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // The caller adds the file's key to the message.
    }
  }
}
