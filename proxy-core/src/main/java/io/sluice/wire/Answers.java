package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** Reads parts of a node's response without decoding it. Frames stay the caller's. */
public final class Answers {

  private static final int KIND_SET_KEYSPACE = 3;
  private static final int KIND_PREPARED = 4;
  private static final int KIND_SCHEMA_CHANGE = 5;

  // Of a RESULT of kind Rows, from the beginning of its message.
  private static final int FLAGS_AT = 4;
  private static final int COLUMNS_AT = 8;
  private static final int SPECS_AT = 12;

  private Answers() {}

  /** The message itself, behind tracing id, warnings and payload. */
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
   * A RESULT with these warnings behind those that it has. Any other answer, and one of a version
   * before 4, stays as it is. Takes the frame over.
   */
  public static Frame warned(Frame answer, List<String> warnings) {
    return Warnings.addTo(answer, warnings);
  }

  /** Where the message begins in the body, behind tracing id, warnings and payload. */
  static int messageAt(Frame frame) {
    return message(frame).readerIndex();
  }

  /** The code of an ERROR, or −1 for any other answer. */
  public static int errorCode(Frame frame) {
    return frame.opcode() == Opcode.ERROR ? message(frame).readInt() : -1;
  }

  /** The message of an ERROR. */
  public static String errorMessage(Frame frame) {
    ByteBuf in = message(frame);
    in.readInt();
    return Primitives.readString(in);
  }

  /** The statement that an ERROR of code UNPREPARED misses. */
  public static PreparedId unpreparedId(Frame frame) {
    ByteBuf in = message(frame);
    in.readInt();
    Primitives.skipString(in);
    return new PreparedId(Primitives.readShortBytes(in));
  }

  /** The class that an AUTHENTICATE names; empty where it cannot be read. */
  public static String authenticator(Frame frame) {
    ByteBuf in = message(frame);
    return in.readableBytes() < Short.BYTES ? "" : Primitives.readString(in);
  }

  private static boolean isResult(Frame frame, int kind) {
    return frame.opcode() == Opcode.RESULT && intAt(frame, 0) == kind;
  }

  /** An integer of the message, so many bytes behind its beginning. */
  private static int intAt(Frame frame, int offset) {
    if (frame.has(Frame.FLAG_TRACING | Frame.FLAG_WARNING | Frame.FLAG_PAYLOAD)) {
      ByteBuf in = message(frame);
      return in.getInt(in.readerIndex() + offset);
    }
    return frame.bodyInt(offset);
  }

  /** Whether this answer sets the connection's keyspace. */
  public static boolean isSetKeyspace(Frame frame) {
    return isResult(frame, KIND_SET_KEYSPACE);
  }

  /** Whether this answer carries rows. */
  public static boolean isRows(Frame frame) {
    return isResult(frame, RowsAnswer.KIND_ROWS);
  }

  /** The keyspace that a RESULT of kind SetKeyspace names. */
  public static String keyspace(Frame frame) {
    ByteBuf in = message(frame);
    in.readInt();
    return Primitives.readString(in);
  }

  /** Whether this answer gives a prepared id. */
  public static boolean isPrepared(Frame frame) {
    return isResult(frame, KIND_PREPARED);
  }

  /** The id that a RESULT of kind Prepared gives. */
  public static PreparedId preparedId(Frame frame) {
    ByteBuf in = message(frame);
    in.skipBytes(Integer.BYTES);
    return new PreparedId(Primitives.readShortBytes(in));
  }

  /** What a RESULT of kind Prepared tells of the statement. */
  public static StatementMetadata statementMetadata(Frame frame) {
    ByteBuf in = message(frame);
    in.skipBytes(Integer.BYTES);
    Primitives.skipString(in);
    return StatementMetadata.read(in, frame.version());
  }

  /**
   * Whether rows have the columns that {@code told} says, as far as can be seen: without column
   * specifications only their number is known. Rows that tell of changed columns (v5) are not as
   * told.
   *
   * @param frame a RESULT of kind Rows
   */
  public static boolean isAsTold(Frame frame, StatementMetadata told) {
    int flags = intAt(frame, FLAGS_AT);
    if ((flags & ResultMetadata.METADATA_CHANGED) != 0) {
      return false;
    }
    int columns = intAt(frame, COLUMNS_AT);
    if (columns != told.columns() || (flags & ResultMetadata.NO_METADATA) != 0) {
      return columns == told.columns();
    }
    ByteBuf in = message(frame);
    in.skipBytes(SPECS_AT);
    if ((flags & ResultMetadata.MORE_PAGES) != 0) {
      Primitives.skipBytes(in);
    }
    int from = in.readerIndex();
    ResultColumns.skip(in, columns, (flags & ResultMetadata.GLOBAL_TABLE) != 0);
    ByteBuf specs = in.slice(from, in.readerIndex() - from);
    return StatementMetadata.digest(specs).equals(told.resultColumns());
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

  /** Whether this answer says that the schema changed. */
  public static boolean isSchemaChange(Frame frame) {
    return isResult(frame, KIND_SCHEMA_CHANGE);
  }

  /** How many rows a RESULT holds; 0 for any other answer. */
  public static int rowCount(Frame frame) {
    if (!isRows(frame)) {
      return 0;
    }
    ByteBuf in = frame.bytes();
    int begin = in.readerIndex();
    try {
      in.skipBytes(
          frame.has(Frame.FLAG_TRACING | Frame.FLAG_WARNING | Frame.FLAG_PAYLOAD)
              ? Frame.HEADER_LENGTH + messageAt(frame)
              : Frame.HEADER_LENGTH);
      return rowCount(in);
    } finally {
      in.readerIndex(begin);
    }
  }

  /** The same of a message; a view of it would have to be allocated. */
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
