package io.sluice.accept;

import io.sluice.setting.Secret;
import io.sluice.tls.CertificateNames;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Identity;
import io.sluice.wire.ProtocolError;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A role that clients get by their certificate instead of a password. Exactly one of {@code
 * subject} and {@code uri} is set.
 *
 * @param subject the distinguished name of the certificate, such as {@code CN=reports,O=Example};
 *     null for any
 * @param uri the only URI of the certificate, such as a SPIFFE ID; {@code /*} at the end matches
 *     any URI below; null for any
 * @param role the role, as the nodes know it
 * @param password the role's password at the nodes, because no proxy can show them a client's
 *     certificate
 */
public record CertifiedRole(
    @Nullable String subject, @Nullable String uri, @Nullable String role, Secret password) {

  private static final String BELOW = "/*";

  /** The absent password, which {@link #problem} reports. */
  private static final Secret NONE = new Secret("");

  public CertifiedRole {
    password = password == null ? NONE : password;
  }

  /** Returns the reason why this entry cannot be used; null when it can. */
  @Nullable String problem() {
    if ((subject == null) == (uri == null)) {
      return "must have either subject or uri";
    } else if (role == null || role.isEmpty() || role.indexOf('\0') >= 0) {
      return "must have a role";
    } else if (password.reveal().isEmpty() || password.reveal().indexOf('\0') >= 0) {
      return "must have the role's password at the nodes";
    } else if (uri != null && (uri.indexOf(':') <= 0 || uri.startsWith(BELOW))) {
      return "must have a URI with its scheme, such as spiffe://example.com/reports";
    }
    return subject == null || CertificateNames.isName(subject)
        ? null
        : "must have a distinguished name, such as CN=reports,O=Example";
  }

  private boolean isOf(CertificateNames names) {
    if (subject != null) {
      return names.isSubject(subject);
    }
    // A certificate with several URIs has no SPIFFE ID (X509-SVID, 2).
    return uri != null && names.uris().size() == 1 && matches(uri, names.uris().get(0));
  }

  private static boolean matches(String uri, String shown) {
    if (!uri.endsWith(BELOW)) {
      return shown.equals(uri);
    }
    String above = uri.substring(0, uri.length() - 1);
    return shown.startsWith(above) && shown.length() > above.length() && isPlain(shown);
  }

  /** Whether the path has no part that could resolve to another path. */
  private static boolean isPlain(String uri) {
    String path = uri.substring(uri.indexOf("://") + "://".length());
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..") || part.indexOf('%') >= 0) {
        return false;
      }
    }
    return true;
  }

  private Identity identity() {
    return Identity.plain(String.valueOf(role), password.reveal());
  }

  /**
   * Returns the identity that a client has by its certificate. The first matching role counts.
   *
   * @param shown the verified certificate; null when the client has sent none
   * @return null when the client has to log in by password: it has sent no certificate, or {@code
   *     roles} is empty
   * @throws ProtocolError when there are roles, but none matches this certificate, or it has
   *     expired: a resumed TLS session does not verify it again
   */
  static @Nullable Identity of(@Nullable X509Certificate shown, List<CertifiedRole> roles) {
    if (shown == null || roles.isEmpty()) {
      return null;
    }
    try {
      shown.checkValidity();
      CertificateNames names = CertificateNames.of(shown);
      for (CertifiedRole each : roles) {
        if (each.isOf(names)) {
          return each.identity();
        }
      }
      throw refused("stands for no role: " + names);
    } catch (CertificateException e) {
      throw refused("has expired or is not valid yet: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw refused("stands for no role: " + e.getMessage());
    }
  }

  private static ProtocolError refused(String why) {
    return ProtocolError.of(
        ErrorCode.BAD_CREDENTIALS,
        0,
        "The certificate of this client " + why + " (cql.certificateRoles)");
  }
}
