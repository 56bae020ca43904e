package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a QUERY or EXECUTE says besides its statement.
 *
 * @param consistency the code of its consistency level
 * @param values its bound values, valid as long as the frame
 * @param pageSize rows a page, or −1 when the client wants no paging
 * @param resumes whether it carries a paging state
 * @param serialConsistency the code of its serial consistency level, or −1
 * @param keyspace the keyspace of this one request (v5), or null
 */
public record Parameters(
    int consistency,
    Values values,
    int pageSize,
    boolean resumes,
    int serialConsistency,
    @Nullable String keyspace) {

  private static final int VALUES = 0x01;
  private static final int PAGE_SIZE = 0x04;
  private static final int PAGING_STATE = 0x08;
  private static final int SERIAL_CONSISTENCY = 0x10;
  private static final int TIMESTAMP = 0x20;
  private static final int NAMED_VALUES = 0x40;
  private static final int KEYSPACE = 0x80;

  static Parameters read(ByteBuf in, int version) {
    int consistency = in.readUnsignedShort();
    int flags = version >= 5 ? in.readInt() : in.readUnsignedByte();
    Values values =
        (flags & VALUES) != 0 ? Values.read(in, (flags & NAMED_VALUES) != 0) : Values.NONE;
    int pageSize = (flags & PAGE_SIZE) != 0 ? in.readInt() : -1;
    boolean resumes = (flags & PAGING_STATE) != 0;
    if (resumes) {
      Primitives.skipBytes(in);
    }
    int serial = (flags & SERIAL_CONSISTENCY) != 0 ? in.readUnsignedShort() : -1;
    if ((flags & TIMESTAMP) != 0) {
      in.skipBytes(Long.BYTES);
    }
    String keyspace = version >= 5 && (flags & KEYSPACE) != 0 ? Primitives.readString(in) : null;
    return new Parameters(
        consistency, values, pageSize > 0 ? pageSize : -1, resumes, serial, keyspace);
  }
}
