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

/** A reason why a TLS handshake fails. */
public enum TlsCause {
  /** The other side sent something other than TLS. */
  PLAIN("no TLS"),
  /** The handshake took too long. */
  TIMEOUT("not finished in time"),
  /**
   * The sides have no protocol version or cipher suite in common, or a message violates the
   * protocol.
   */
  PROTOCOL("no agreement"),
  /** The issuer of the other side's certificate is not trusted. */
  UNTRUSTED("its certificate is not trusted"),
  /** The other side's certificate has expired, or is not valid yet. */
  EXPIRED("its certificate has expired or is not valid yet"),
  /** The other side's certificate does not contain the expected name. */
  HOST("its certificate is for another host"),
  /** The other side sent no certificate, although one is required. */
  NO_CERTIFICATE("it shows no certificate"),
  /** The other side sent an alert, perhaps because it does not trust this side's certificate. */
  REFUSED("refused by the other side"),
  /** The other side closed the connection. */
  CLOSED("closed by the other side"),
  /** Anything else. */
  OTHER("failed");

  private static final int MAX_CAUSES = 20;

  /**
   * A part of the JDK's message about a plain alert. OpenSSL sends alerts unencrypted before it has
   * keys, and the JDK takes the two bytes for a record that is too short.
   */
  private static final String PLAIN_ALERT = "for AEAD cipher fragment (2)";

  private final String words;

  TlsCause(String words) {
    this.words = words;
  }

  /** Returns the value of the meters' tag. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the cause in a few words, with the innermost message of {@code thrown}. */
  public String explained(@Nullable Throwable thrown) {
    String said = "";
    int depth = 0;
    for (Throwable each = thrown; each != null && depth < MAX_CAUSES; each = each.getCause()) {
      said = each.getMessage() == null ? said : each.getMessage();
      depth++;
    }
    return this == CLOSED || this == TIMEOUT || this == PLAIN || said.isEmpty()
        ? words
        : words + ": " + said;
  }

  /** Returns the cause of {@code thrown}. */
  public static TlsCause of(Throwable thrown) {
    TlsCause found = OTHER;
    int depth = 0;
    for (Throwable each = thrown; each != null && depth < MAX_CAUSES; each = each.getCause()) {
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
