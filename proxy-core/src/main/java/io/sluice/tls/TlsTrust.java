package io.sluice.tls;

import io.sluice.setting.Requirements;
import io.sluice.setting.Secret;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the authorities that may issue the other side's certificate: one PEM file, or one
 * store.
 *
 * @param trust the PEM file with one or more certificates
 * @param trustStore the PKCS#12 or JKS file
 * @param trustStorePassword the password of the store; null where it has none
 */
public record TlsTrust(
    @Nullable String trust, @Nullable String trustStore, @Nullable Secret trustStorePassword) {

  /** The default: the authorities that the JVM trusts. */
  public static final TlsTrust DEFAULT = new TlsTrust(null, null, null);

  /** Returns the settings for a PEM file. */
  public static TlsTrust pem(String file) {
    return new TlsTrust(file, null, null);
  }

  /** Whether authorities are set. */
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
