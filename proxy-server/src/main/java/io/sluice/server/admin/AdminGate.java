package io.sluice.server.admin;

import io.netty.util.NetUtil;
import io.sluice.server.live.LivePage;
import io.sluice.setting.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;

/** The access control of the admin port: one bearer token, or none. Safe for any thread. */
final class AdminGate {

  private static final String SCHEME = "bearer ";

  private final @Nullable Secret token;

  AdminGate(@Nullable Secret token) {
    this.token = token;
  }

  /** Whether a request with these headers may see a page. */
  boolean allows(String path, HttpFields headers) {
    if (path.equals("/livez") || path.equals("/readyz")) {
      return true;
    } else if (token == null) {
      return !path.equals(LivePage.STREAM) || isAddress(headers.get(HttpHeader.HOST));
    }
    String authorization = headers.get(HttpHeader.AUTHORIZATION);
    return authorization != null && isToken(token, authorization);
  }

  /** Whether a token is configured. */
  boolean hasToken() {
    return token != null;
  }

  /**
   * Whether the request's Host header is an IP address or localhost. This stops a page of another
   * site whose name was made to resolve to this machine (DNS rebinding).
   */
  private static boolean isAddress(@Nullable String host) {
    if (host == null) {
      return false;
    }
    String name = new HostPort(host).getHost();
    return name != null
        && (name.equals("localhost")
            || NetUtil.isValidIpV4Address(name)
            || NetUtil.isValidIpV6Address(name));
  }

  /** Compares in constant time. */
  private static boolean isToken(Secret token, String authorization) {
    return authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)
        && MessageDigest.isEqual(
            bytes(token.reveal().strip()), bytes(authorization.substring(SCHEME.length()).strip()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
