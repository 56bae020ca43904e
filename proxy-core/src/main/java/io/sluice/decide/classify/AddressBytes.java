package io.sluice.decide.classify;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serialises numeric addresses. A host name is in doubt, because the node would resolve it. */
final class AddressBytes {
  private static final Pattern V4 =
      Pattern.compile("(0|[1-9][0-9]{0,2})([.](0|[1-9][0-9]{0,2})){3}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:]*");

  private AddressBytes() {}

  static @Nullable ByteBuffer of(String text) {
    if (!V4.matcher(text).matches() && !V6.matcher(text).matches()) {
      return null;
    }
    try {
      // Both forms are numeric, so no name is resolved.
      return V4.matcher(text).matches() ? v4(text) : ByteBuffer.wrap(address(text));
    } catch (UnknownHostException notAnAddress) {
      return null;
    }
  }

  private static byte[] address(String text) throws UnknownHostException {
    return InetAddress.getByName(text).getAddress();
  }

  private static @Nullable ByteBuffer v4(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(4);
    for (String part : text.split("[.]", -1)) {
      int octet = Integer.parseInt(part);
      if (octet > 255) {
        return null;
      }
      bytes.put((byte) octet);
    }
    return bytes.flip();
  }
}
