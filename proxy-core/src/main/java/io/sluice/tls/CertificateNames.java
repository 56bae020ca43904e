package io.sluice.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The names in a certificate that identify its holder. Immutable.
 *
 * @param subject the distinguished name; empty where there is none
 * @param uris the URIs among the subject alternative names, such as a SPIFFE ID
 */
public record CertificateNames(X500Principal subject, List<String> uris) {

  /** GeneralName.uniformResourceIdentifier of RFC 5280, 4.2.1.6. */
  private static final Integer URI = 6;

  private static final int MAX_SHOWN = 300;

  public CertificateNames {
    uris = List.copyOf(uris);
  }

  /**
   * Returns the names in a verified certificate.
   *
   * @throws IllegalArgumentException when the names cannot be read
   */
  public static CertificateNames of(X509Certificate certificate) {
    try {
      List<String> uris = new ArrayList<>();
      Collection<List<?>> alternative = certificate.getSubjectAlternativeNames();
      for (List<?> name : alternative == null ? List.<List<?>>of() : alternative) {
        if (name.get(0).equals(URI)) {
          uris.add((String) name.get(1));
        }
      }
      return new CertificateNames(certificate.getSubjectX500Principal(), uris);
    } catch (CertificateParsingException e) {
      throw new IllegalArgumentException("its names cannot be read", e);
    }
  }

  /** Whether the subject equals {@code name} as a distinguished name, not as a text. */
  public boolean isSubject(String name) {
    return subject.equals(principal(name));
  }

  /** Whether {@code text} is a distinguished name. */
  public static boolean isName(String text) {
    return principal(text) != null;
  }

  private static @Nullable X500Principal principal(String name) {
    try {
      return new X500Principal(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns the names for a message, with limited length and without control characters, as a
   * client may have chosen them.
   */
  @Override
  public String toString() {
    String all = "subject \"" + subject.getName() + "\"";
    all += uris.isEmpty() ? ", no URI" : ", URI " + String.join(" and ", uris);
    String shown = all.length() <= MAX_SHOWN ? all : all.substring(0, MAX_SHOWN) + "…";
    return shown.replaceAll("\\p{Cntrl}", "?");
  }
}
