package io.sluice.tls;

import io.sluice.setting.Requirements;
import java.util.List;

/**
 * The settings of TLS on one side of the proxy.
 *
 * @param side which side
 * @param mode whether connections are encrypted; OPTIONAL on the side of clients only
 * @param keys the certificate to show; required on the sides where connections are accepted
 * @param trust whom the other side's certificate may be issued by
 * @param clientAuth whether a client shows a certificate; NONE on the side of nodes
 * @param hostCheck the name that a node's certificate bears; without effect elsewhere
 * @param protocols TLSv1.2, TLSv1.3 or both
 * @param ciphers cipher suites by their JSSE names, the best first; empty for those of the JVM
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

  /** The versions of the protocol that can be used, the newest first. */
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

    /** The section of its settings. */
    public String section() {
      return section;
    }
  }

  /** Whether connections are encrypted. */
  public enum Mode {
    /** None is. */
    OFF,
    /** As the client begins; both kinds on one port. */
    OPTIONAL,
    /** Each is. */
    REQUIRED
  }

  /** Whether a client shows a certificate. */
  public enum ClientAuth {
    /** It is not asked for one. */
    NONE,
    /** It is asked; one that is shown must be trusted. */
    WANT,
    /** It must show one that is trusted. */
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

  /** A side that is not encrypted. */
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

  /** Whether a connection may be encrypted. */
  public boolean isOn() {
    return mode != Mode.OFF;
  }
}
