package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a QUERY or EXECUTE besides its statement.
 *
 * @param consistency the code of the consistency level
 * @param values the bound values, valid as long as the frame
 * @param pageSize the page size in rows, or −1 for no paging
 * @param pagingState a copy of the paging state to continue from, or null
 * @param serialConsistency the code of the serial consistency level, or −1
 * @param keyspace the keyspace of this request only (v5), or null
 * @param skipsMetadata whether the client knows the result's columns and asks to omit them
 */
public record Parameters(
    int consistency,
    Values values,
    int pageSize,
    @Nullable ByteBuffer pagingState,
    int serialConsistency,
    @Nullable String keyspace,
    boolean skipsMetadata) {

  static final int VALUES = 0x01;
  static final int SKIP_METADATA = 0x02;
  static final int PAGE_SIZE = 0x04;
  static final int PAGING_STATE = 0x08;
  static final int SERIAL_CONSISTENCY = 0x10;
  static final int TIMESTAMP = 0x20;
  static final int NAMED_VALUES = 0x40;
  private static final int KEYSPACE = 0x80;

  static Parameters read(ByteBuf in, int version) {
    int consistency = in.readUnsignedShort();
    int flags = version >= 5 ? in.readInt() : in.readUnsignedByte();
    Values values =
        (flags & VALUES) != 0 ? Values.read(in, (flags & NAMED_VALUES) != 0) : Values.NONE;
    int pageSize = (flags & PAGE_SIZE) != 0 ? in.readInt() : -1;
    ByteBuffer state = (flags & PAGING_STATE) != 0 ? Values.readCopy(in) : null;
    int serial = (flags & SERIAL_CONSISTENCY) != 0 ? in.readUnsignedShort() : -1;
    if ((flags & TIMESTAMP) != 0) {
      in.skipBytes(Long.BYTES);
    }
    String keyspace = version >= 5 && (flags & KEYSPACE) != 0 ? Primitives.readString(in) : null;
    return new Parameters(
        consistency,
        values,
        pageSize > 0 ? pageSize : -1,
        state,
        serial,
        keyspace,
        (flags & SKIP_METADATA) != 0);
  }
}
