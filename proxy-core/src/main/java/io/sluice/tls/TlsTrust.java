package io.sluice.tls;

import io.sluice.setting.Requirements;
import io.sluice.setting.Secret;
import org.jspecify.annotations.Nullable;

/**
 * The certificate authorities that the other side's certificate may be issued by: one PEM file, or
 * one store.
 *
 * @param trust PEM file with one certificate or several
 * @param trustStore PKCS#12 or JKS file
 * @param trustStorePassword of the store; null where it has none
 */
public record TlsTrust(
    @Nullable String trust, @Nullable String trustStore, @Nullable Secret trustStorePassword) {

  /** Nothing named: the authorities that the JVM trusts. */
  public static final TlsTrust DEFAULT = new TlsTrust(null, null, null);

  /** A PEM file. */
  public static TlsTrust pem(String file) {
    return new TlsTrust(file, null, null);
  }

  /** Whether authorities are named. */
  public boolean isSet() {
    return trust != null || trustStore != null;
  }

  void check(Requirements requirements) {
    requirements.that(
        trust == null || trustStore == null,
        "trustStore",
        String.valueOf(trustStore),
        "must not be set beside trust",
        "name either a PEM file or a store");
  }
}
