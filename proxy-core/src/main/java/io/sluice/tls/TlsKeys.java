package io.sluice.tls;

import io.sluice.setting.Requirements;
import io.sluice.setting.Secret;
import org.jspecify.annotations.Nullable;

/**
 * The settings of this side's certificate and private key: two PEM files, or one store.
 *
 * @param certificate the PEM file of the certificate, followed by those of its issuers
 * @param key the PEM file of the private key: PKCS#8, encrypted or not, PKCS#1 or SEC 1
 * @param keyPassword the password of the key; null where it is not encrypted, or has the store's
 *     password
 * @param keyStore the PKCS#12 or JKS file
 * @param keyStorePassword the password of the store
 */
public record TlsKeys(
    @Nullable String certificate,
    @Nullable String key,
    @Nullable Secret keyPassword,
    @Nullable String keyStore,
    @Nullable Secret keyStorePassword) {

  /** The settings without a certificate. */
  public static final TlsKeys NONE = new TlsKeys(null, null, null, null, null);

  /** Returns the settings for PEM files, with a key that is not encrypted. */
  public static TlsKeys pem(String certificate, String key) {
    return new TlsKeys(certificate, key, null, null, null);
  }

  /** Returns the settings for a PKCS#12 or JKS file. */
  public static TlsKeys store(String keyStore, Secret password) {
    return new TlsKeys(null, null, null, keyStore, password);
  }

  /** Whether a certificate is set. */
  public boolean isSet() {
    return certificate != null || keyStore != null;
  }

  void check(Requirements requirements) {
    requirements
        .that(
            certificate == null || key != null,
            "key",
            "nothing",
            "must be set where certificate is",
            "name the PEM file of the private key")
        .that(
            key == null || certificate != null,
            "certificate",
            "nothing",
            "must be set where key is",
            "name the PEM file of the certificate")
        .that(
            certificate == null || keyStore == null,
            "keyStore",
            String.valueOf(keyStore),
            "must not be set beside certificate",
            "name either PEM files or a store")
        .that(
            keyStore == null || keyStorePassword != null,
            "keyStorePassword",
            "nothing",
            "must be set where keyStore is",
            "write ${file:/path} or ${NAME}");
  }
}
