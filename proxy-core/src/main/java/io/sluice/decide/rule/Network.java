package io.sluice.decide.rule;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A network of client addresses: {@code 10.1.0.0/16}, {@code ::1}. Immutable. */
final class Network {

  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[0-9]{1,2})";

  /** An address as digits. The JDK takes any other text for a name and looks it up. */
  private static final Pattern LITERAL =
      Pattern.compile(BYTE + "(\\." + BYTE + "){3}|[0-9a-fA-F.]*:.*");

  private final byte[] prefix;
  private final int bits;

  private Network(byte[] prefix, int bits) {
    this.prefix = prefix;
    this.bits = bits;
  }

  /** Parses a network; null if the text is not one. */
  static @Nullable Network of(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    if (!LITERAL.matcher(address).matches()) {
      return null;
    }
    try {
      byte[] bytes = InetAddress.getByName(address).getAddress();
      int all = bytes.length * Byte.SIZE;
      int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
      return bits < 0 || bits > all ? null : new Network(bytes, bits);
    } catch (UnknownHostException | NumberFormatException e) {
      return null;
    }
  }

  /** Whether the network contains an address; false for the other version of IP. */
  boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length != prefix.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    for (int i = 0; i < whole; i++) {
      if (bytes[i] != prefix[i]) {
        return false;
      }
    }
    int rest = bits % Byte.SIZE;
    return rest == 0 || ((bytes[whole] ^ prefix[whole]) & 0xFF) >>> (Byte.SIZE - rest) == 0;
  }
}
