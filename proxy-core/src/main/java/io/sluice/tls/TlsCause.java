package io.sluice.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A reason for which a TLS handshake failed. */
public enum TlsCause {
  /** The other side sent something else than TLS. */
  PLAIN("no TLS"),
  /** It took too long. */
  TIMEOUT("not finished in time"),
  /** No protocol version or cipher suite in common, or a message that breaks the protocol. */
  PROTOCOL("no agreement"),
  /** The other side's certificate is issued by an authority that is not trusted. */
  UNTRUSTED("its certificate is not trusted"),
  /** The other side's certificate has expired, or is not valid yet. */
  EXPIRED("its certificate has expired or is not valid yet"),
  /** The other side's certificate does not bear its name. */
  HOST("its certificate is for another host"),
  /** The other side showed no certificate, and has to. */
  NO_CERTIFICATE("it shows no certificate"),
  /** The other side refused: it may not trust this side's certificate. */
  REFUSED("refused by the other side"),
  /** The other side closed the connection. */
  CLOSED("closed by the other side"),
  /** Anything else. */
  OTHER("failed");

  private static final int MOST_CAUSES = 20;

  /**
   * OpenSSL sends an alert in plain text where it has no keys yet; the JDK takes the two bytes of
   * it for a record that is too short.
   */
  private static final String PLAIN_ALERT = "for AEAD cipher fragment (2)";

  private final String words;

  TlsCause(String words) {
    this.words = words;
  }

  /** The value of the meters' tag. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The cause in a few words, with those of {@code thrown}. */
  public String explained(@Nullable Throwable thrown) {
    String said = "";
    int depth = 0;
    for (Throwable each = thrown; each != null && depth < MOST_CAUSES; each = each.getCause()) {
      said = each.getMessage() == null ? said : each.getMessage();
      depth++;
    }
    return this == CLOSED || this == TIMEOUT || this == PLAIN || said.isEmpty()
        ? words
        : words + ": " + said;
  }

  /** The reason behind {@code thrown}. */
  public static TlsCause of(Throwable thrown) {
    TlsCause found = OTHER;
    int depth = 0;
    for (Throwable each = thrown; each != null && depth < MOST_CAUSES; each = each.getCause()) {
      TlsCause own = ownCause(each);
      if (own != OTHER) {
        found = own;
      }
      depth++;
    }
    return found;
  }

  private static TlsCause ownCause(Throwable thrown) {
    if (thrown instanceof CertificateExpiredException
        || thrown instanceof CertificateNotYetValidException) {
      return EXPIRED;
    }
    if (thrown instanceof CertPathBuilderException
        || thrown instanceof CertPathValidatorException) {
      return UNTRUSTED;
    }
    String message = String.valueOf(thrown.getMessage());
    if (thrown instanceof CertificateException) {
      return message.startsWith("No subject alternative") || message.startsWith("No name matching")
          ? HOST
          : UNTRUSTED;
    }
    if (thrown instanceof NotSslRecordException || message.contains("nrecognized SSL message")) {
      return PLAIN;
    }
    if (thrown instanceof SslHandshakeTimeoutException
        || thrown instanceof SocketTimeoutException) {
      return TIMEOUT;
    }
    if (thrown instanceof ClosedChannelException) {
      return CLOSED;
    }
    return thrown instanceof SSLException ? ofMessage(message) : ofIo(thrown);
  }

  private static TlsCause ofMessage(String message) {
    if (message.contains("Received fatal alert")
        || message.contains("Received close_notify")
        || message.contains(PLAIN_ALERT)) {
      return REFUSED;
    }
    if (message.contains("Empty client certificate") || message.contains("null cert chain")) {
      return NO_CERTIFICATE;
    }
    return message.contains("terminated the handshake") ? CLOSED : PROTOCOL;
  }

  private static TlsCause ofIo(Throwable thrown) {
    return thrown instanceof IOException ? CLOSED : OTHER;
  }
}
