package io.sluice.tls;

import io.sluice.setting.Requirements;
import io.sluice.setting.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of TLS on one side of the proxy.
 *
 * @param side the side of the proxy
 * @param mode whether connections are encrypted; OPTIONAL only towards clients
 * @param keys the certificate of this side; required where connections are accepted
 * @param trust the authorities that may issue the other side's certificate
 * @param clientAuth whether a client sends a certificate; NONE towards nodes
 * @param hostCheck the name that a node's certificate must contain; ignored elsewhere
 * @param protocols TLSv1.2, TLSv1.3 or both
 * @param ciphers cipher suites by their JSSE names, best first; empty for those of the JVM
 */
public record TlsConfig(
    Side side,
    Mode mode,
    TlsKeys keys,
    TlsTrust trust,
    ClientAuth clientAuth,
    HostCheck hostCheck,
    List<String> protocols,
    List<String> ciphers) {

  /** The supported protocol versions, newest first. */
  public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** A side of the proxy. */
  public enum Side {
    /** The CQL port. */
    CLIENT("cql.tls"),
    /** Connections to nodes. */
    NODE("cluster.tls"),
    /** The admin port. */
    ADMIN("admin.tls");

    private final String section;

    Side(String section) {
      this.section = section;
    }

    /** Returns the section of this side's settings. */
    public String section() {
      return section;
    }
  }

  /** Whether connections are encrypted. */
  public enum Mode {
    /** No connection is encrypted. */
    OFF,
    /** The client decides with its first byte. One port serves both kinds. */
    OPTIONAL,
    /** All connections are encrypted. */
    REQUIRED
  }

  /** Whether a client sends a certificate. */
  public enum ClientAuth {
    /** The client is not asked for a certificate. */
    NONE,
    /** The client is asked for a certificate. If it sends one, the certificate must be trusted. */
    WANT,
    /** The client must send a trusted certificate. */
    REQUIRE
  }

  public TlsConfig {
    protocols = List.copyOf(protocols);
    ciphers = List.copyOf(ciphers);
    if (mode != Mode.OFF) {
      boolean accepts = side != Side.NODE;
      Requirements requirements = Requirements.of(side.section());
      requirements
          .that(
              mode == Mode.REQUIRED || side == Side.CLIENT,
              "mode",
              mode,
              "must be off or required",
              "an attacker could take encryption away from an optional one")
          .that(
              keys.isSet() || keys.key() != null || !accepts,
              "certificate",
              "nothing",
              "must be set, or keyStore",
              "name the PEM files certificate and key, or a keyStore")
          .that(
              clientAuth == ClientAuth.NONE || trust.isSet(),
              "trust",
              "nothing",
              "must be set where clientAuth is not none",
              "name the PEM file of the clients' certificate authority")
          .that(
              !protocols.isEmpty() && PROTOCOLS.containsAll(protocols),
              "protocols",
              protocols,
              "must be TLSv1.3, TLSv1.2 or both");
      keys.check(requirements);
      trust.check(requirements);
      requirements.check();
    }
  }

  /** Returns the settings of a side without TLS. */
  public static TlsConfig off(Side side) {
    return new TlsConfig(
        side,
        Mode.OFF,
        TlsKeys.NONE,
        TlsTrust.DEFAULT,
        ClientAuth.NONE,
        HostCheck.ADDRESS,
        PROTOCOLS,
        List.of());
  }

  /** Whether connections may be encrypted. */
  public boolean isOn() {
    return mode != Mode.OFF;
  }

  /**
   * The name that a node's certificate must contain. Immutable.
   *
   * @param verify whether the name is checked; false accepts the certificate of any host
   * @param serverName a DNS name, which is also sent as SNI; null for the node's address
   */
  public record HostCheck(boolean verify, @Nullable String serverName) {

    /** Checks that a node's certificate contains the node's address. */
    public static final HostCheck ADDRESS = new HostCheck(true, null);
  }

  /**
   * The settings of the authorities that may issue the other side's certificate: one PEM file, or
   * one store.
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
}
