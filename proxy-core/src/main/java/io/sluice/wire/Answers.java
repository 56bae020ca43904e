package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Reads parts of a node's response without decoding all of it. The caller keeps the frames.
 * Stateless.
 */
public final class Answers {

  private static final int KIND_SET_KEYSPACE = 3;
  private static final int KIND_PREPARED = 4;
  private static final int KIND_SCHEMA_CHANGE = 5;

  // Offsets in the message of a RESULT of kind Rows.
  private static final int FLAGS_AT = 4;
  private static final int COLUMNS_AT = 8;
  private static final int SPECS_AT = 12;

  private Answers() {}

  /** Returns the message itself, after tracing id, warnings and payload. */
  private static ByteBuf message(Frame frame) {
    ByteBuf in = frame.body();
    if (frame.has(Frame.FLAG_TRACING)) {
      in.skipBytes(2 * Long.BYTES);
    }
    if (frame.has(Frame.FLAG_WARNING)) {
      Primitives.skipStringList(in);
    }
    if (frame.has(Frame.FLAG_PAYLOAD)) {
      Primitives.skipBytesMap(in);
    }
    return in;
  }

  /**
   * Returns a RESULT with these warnings after its own. Other responses, and those before v4, stay
   * unchanged. Takes ownership of the frame.
   */
  public static Frame warned(Frame answer, List<String> warnings) {
    return Warnings.addTo(answer, warnings);
  }

  /** Returns the offset of the message in the body, after tracing id, warnings and payload. */
  static int messageAt(Frame frame) {
    return message(frame).readerIndex();
  }

  /** Returns the code of an ERROR, or −1 for any other response. */
  public static int errorCode(Frame frame) {
    return frame.opcode() == Opcode.ERROR ? message(frame).readInt() : -1;
  }

  /** Returns the message of an ERROR. */
  public static String errorMessage(Frame frame) {
    ByteBuf in = message(frame);
    in.readInt();
    return Primitives.readString(in);
  }

  /** Returns the id of the missing statement in an ERROR of code UNPREPARED. */
  public static PreparedId unpreparedId(Frame frame) {
    ByteBuf in = message(frame);
    in.readInt();
    Primitives.skipString(in);
    return new PreparedId(Primitives.readShortBytes(in));
  }

  /** Returns the class that an AUTHENTICATE names; empty where it cannot be read. */
  public static String authenticator(Frame frame) {
    ByteBuf in = message(frame);
    return in.readableBytes() < Short.BYTES ? "" : Primitives.readString(in);
  }

  private static boolean isResult(Frame frame, int kind) {
    return frame.opcode() == Opcode.RESULT && intAt(frame, 0) == kind;
  }

  /**
   * Returns the integer of the message at this offset.
   *
   * @throws IndexOutOfBoundsException when the body is too short
   */
  private static int intAt(Frame frame, int offset) {
    int at = messageBegin(frame) + offset;
    if (at + Integer.BYTES > frame.length()) {
      throw new IndexOutOfBoundsException("frame of " + frame.length() + " bytes, no int at " + at);
    }
    return frame.bytes().getInt(frame.bytes().readerIndex() + at);
  }

  /** Returns the offset of the message in the frame. Allocates no view of a body without prefix. */
  private static int messageBegin(Frame frame) {
    return frame.has(Frame.FLAG_TRACING | Frame.FLAG_WARNING | Frame.FLAG_PAYLOAD)
        ? Frame.HEADER_LENGTH + messageAt(frame)
        : Frame.HEADER_LENGTH;
  }

  /** Whether this response sets the connection's keyspace. */
  public static boolean isSetKeyspace(Frame frame) {
    return isResult(frame, KIND_SET_KEYSPACE);
  }

  /** Whether this response carries rows. */
  public static boolean isRows(Frame frame) {
    return isResult(frame, RowsAnswer.KIND_ROWS);
  }

  /** Returns the keyspace that a RESULT of kind SetKeyspace names. */
  public static String keyspace(Frame frame) {
    ByteBuf in = message(frame);
    in.readInt();
    return Primitives.readString(in);
  }

  /** Whether this response carries a prepared id. */
  public static boolean isPrepared(Frame frame) {
    return isResult(frame, KIND_PREPARED);
  }

  /** Returns the id in a RESULT of kind Prepared. */
  public static PreparedId preparedId(Frame frame) {
    ByteBuf in = message(frame);
    in.skipBytes(Integer.BYTES);
    return new PreparedId(Primitives.readShortBytes(in));
  }

  /** Returns the statement's metadata in a RESULT of kind Prepared. */
  public static StatementMetadata statementMetadata(Frame frame) {
    ByteBuf in = message(frame);
    in.skipBytes(Integer.BYTES);
    Primitives.skipString(in);
    return StatementMetadata.read(in, frame.version());
  }

  /**
   * Whether rows have the columns of {@code sent}. Without column specifications only their number
   * is compared. Rows that announce changed columns (v5) never match.
   *
   * @param frame a RESULT of kind Rows
   */
  public static boolean matchesSent(Frame frame, StatementMetadata sent) {
    int flags = intAt(frame, FLAGS_AT);
    if ((flags & ResultMetadata.METADATA_CHANGED) != 0) {
      return false;
    }
    int columns = intAt(frame, COLUMNS_AT);
    if (columns != sent.columns() || (flags & ResultMetadata.NO_METADATA) != 0) {
      return columns == sent.columns();
    }
    ByteBuf in = message(frame);
    in.skipBytes(SPECS_AT);
    if ((flags & ResultMetadata.MORE_PAGES) != 0) {
      Primitives.skipBytes(in);
    }
    int from = in.readerIndex();
    ResultColumns.skip(in, columns, (flags & ResultMetadata.GLOBAL_TABLE) != 0);
    ByteBuf specs = in.slice(from, in.readerIndex() - from);
    return StatementMetadata.digest(specs).equals(sent.resultColumns());
  }

  /**
   * Whether rows come without column specifications.
   *
   * @param frame a RESULT of kind Rows
   */
  public static boolean skipsMetadata(Frame frame) {
    return (intAt(frame, FLAGS_AT) & ResultMetadata.NO_METADATA) != 0;
  }

  /**
   * Whether rows follow on another page.
   *
   * @param frame a RESULT of kind Rows
   */
  public static boolean hasMorePages(Frame frame) {
    return (intAt(frame, FLAGS_AT) & ResultMetadata.MORE_PAGES) != 0;
  }

  /** Whether this response announces a schema change. */
  public static boolean isSchemaChange(Frame frame) {
    return isResult(frame, KIND_SCHEMA_CHANGE);
  }

  /** Returns the number of rows in a RESULT; 0 for any other response. */
  public static int rowCount(Frame frame) {
    if (!isRows(frame)) {
      return 0;
    }
    ByteBuf in = frame.bytes();
    int begin = in.readerIndex();
    try {
      in.skipBytes(messageBegin(frame));
      return rowCount(in);
    } finally {
      in.readerIndex(begin);
    }
  }

  /**
   * Returns the number of rows of a message. Reads it in place, as a view would have to be
   * allocated.
   */
  private static int rowCount(ByteBuf in) {
    in.skipBytes(Integer.BYTES);
    int flags = in.readInt();
    int columns = in.readInt();
    if ((flags & ResultMetadata.MORE_PAGES) != 0) {
      Primitives.skipBytes(in);
    }
    if ((flags & ResultMetadata.METADATA_CHANGED) != 0) {
      Primitives.skipString(in);
    }
    if ((flags & ResultMetadata.NO_METADATA) == 0) {
      ResultColumns.skip(in, columns, (flags & ResultMetadata.GLOBAL_TABLE) != 0);
    }
    return in.readInt();
  }
}
