package io.sluice.server;

import io.sluice.setting.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The access control of the admin port: one bearer token, or none. Safe for any thread. */
final class AdminGate {

  private static final String SCHEME = "bearer ";

  private final @Nullable Secret token;

  AdminGate(@Nullable Secret token) {
    this.token = token;
  }

  /**
   * Whether a page may be shown.
   *
   * @param authorization the request's header of that name
   */
  boolean opens(String path, @Nullable String authorization) {
    return token == null
        || path.equals("/livez")
        || path.equals("/readyz")
        || (authorization != null && isToken(token, authorization));
  }

  /** Takes the same time wherever the two differ. */
  private static boolean isToken(Secret token, String authorization) {
    return authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)
        && MessageDigest.isEqual(
            bytes(token.reveal().strip()), bytes(authorization.substring(SCHEME.length()).strip()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
