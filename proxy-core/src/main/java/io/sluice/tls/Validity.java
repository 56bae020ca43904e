package io.sluice.tls;

import io.sluice.setting.InvalidSetting;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The periods in which the certificates of one side are valid. Immutable.
 *
 * @param config names the file
 * @param certificates without those of their issuers; none where this side has none
 */
record Validity(TlsConfig config, List<X509Certificate> certificates) {

  Validity {
    certificates = List.copyOf(certificates);
  }

  /** Returns when the first of the certificates expires; null where there is none. */
  @Nullable Instant notAfter() {
    return certificates.stream()
        .map(each -> each.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElse(null);
  }

  /**
   * Returns the fault of certificates of which none is valid; null when one is, as the JDK prefers
   * that to others, or where there is none.
   */
  @Nullable InvalidSetting fault(Instant now) {
    if (certificates.isEmpty() || certificates.stream().anyMatch(each -> isValid(each, now))) {
      return null;
    }
    X509Certificate first = certificates.get(0);
    boolean pem = config.keys().certificate() != null;
    return new InvalidSetting(
        config.side().section() + (pem ? ".certificate" : ".keyStore"),
        String.valueOf(pem ? config.keys().certificate() : config.keys().keyStore()),
        "must hold a certificate that is valid now (it is valid from "
            + first.getNotBefore().toInstant()
            + " to "
            + first.getNotAfter().toInstant()
            + ")",
        "renew it, or correct the clock of this machine");
  }

  private static boolean isValid(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && !now.isAfter(certificate.getNotAfter().toInstant());
  }
}
