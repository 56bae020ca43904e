package io.sluice.fleet;

import io.sluice.watch.ClusterConfig.Credentials;
import io.sluice.watch.FleetTables.FleetTable;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A table of heartbeats in which only proxies that have the same login for the cluster can be
 * homes. Other proxies send a home the logins of their clients, and take the rows that it returns.
 * But where a cluster checks passwords and no permissions, any client can write the table. So a row
 * has a seal, an HMAC of what makes it the row of a home. Its key is derived from the password by
 * PBKDF2, because any client may read the seal too. A row without a valid seal is read as that of a
 * proxy that is no home. Safe for any thread.
 */
final class SealedTable implements FleetTable {
  /** The name of the seal among the entries of a row's text; other versions skip it. */
  private static final String ENTRY = " homeSeal=";

  /** The first word of a text of entries. */
  private static final String FORMAT = "1";

  private static final String MAC = "HmacSHA256";
  private static final int SEAL_BYTES = 16;
  private static final int KEY_BITS = 256;

  /** Makes guessing the password by the seal as slow as by the hash that a node stores. */
  private static final int ROUNDS = 200_000;

  private final FleetTable table;
  private final SecretKeySpec key;

  /**
   * Creates a view of {@code table}. Takes some tenths of a second of processor time.
   *
   * @param login the login of this proxy for the cluster
   */
  SealedTable(FleetTable table, Credentials login) {
    this.table = table;
    this.key = key(login);
  }

  private static SecretKeySpec key(Credentials login) {
    byte[] salt = ("sluice home " + login.username()).getBytes(StandardCharsets.UTF_8);
    PBEKeySpec spec = new PBEKeySpec(login.password().toCharArray(), salt, ROUNDS, KEY_BITS);
    try {
      byte[] derived =
          SecretKeyFactory.getInstance("PBKDF2With" + MAC).generateSecret(spec).getEncoded();
      return new SecretKeySpec(derived, MAC);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has PBKDF2With" + MAC, e);
    } finally {
      spec.clearPassword();
    }
  }

  @Override
  public CompletionStage<List<Row>> read() {
    return table.read().thenApply(rows -> rows.stream().map(this::checked).toList());
  }

  private Row checked(Row row) {
    UUID secret = row.secret();
    return secret == null || isSealed(row, secret)
        ? row
        : new Row(row.instance(), row.address(), row.beat(), null, row.demand());
  }

  private boolean isSealed(Row row, UUID secret) {
    int at = row.demand().lastIndexOf(ENTRY);
    return at >= 0
        && MessageDigest.isEqual(
            row.demand().substring(at + ENTRY.length()).getBytes(StandardCharsets.UTF_8),
            seal(row, secret).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public CompletionStage<?> write(Row own, long micros) {
    UUID secret = own.secret();
    return table.write(secret == null ? own : sealed(own, secret), micros);
  }

  private Row sealed(Row own, UUID secret) {
    String text = own.demand().isEmpty() ? FORMAT : own.demand();
    return new Row(
        own.instance(), own.address(), own.beat(), secret, text + ENTRY + seal(own, secret));
  }

  private String seal(Row row, UUID secret) {
    String sealed =
        row.instance()
            + " "
            + row.address().getAddress().getHostAddress()
            + " "
            + row.address().getPort()
            + " "
            + secret;
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      byte[] all = mac.doFinal(sealed.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(all, 0, SEAL_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + MAC, e);
    }
  }
}
