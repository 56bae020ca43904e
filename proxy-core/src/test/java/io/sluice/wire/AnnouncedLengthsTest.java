package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.AuthResponse;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.Register;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.wire.RowsAnswer.RowCursor;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that no announced length or count is trusted. Each position of each message is set to each
 * extreme. The reader returns or throws a {@link ProtocolError}, and allocates in proportion to the
 * frame's own bytes only.
 */
class AnnouncedLengthsTest {

  /** Allowance for small objects: exceptions, strings, records. */
  private static final long FIXED_BYTES = 64 * 1024;

  /** A text of one byte becomes an object of fifty bytes. */
  private static final long BYTES_PER_BYTE = 64;

  private static final int MIB = 1 << 20;
  private static final int[] EXTREMES = {
    Integer.MAX_VALUE, Integer.MIN_VALUE, -1, -2, -3, 16 * MIB, MIB, 0x7FFF_FFF7, 0
  };
  private static final int[] SHORT_EXTREMES = {0xFFFF, 0x7FFF, 0x8000, 0};

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private interface Reader {
    @Nullable Object read(Frame frame);
  }

  /** A valid message and its reader. */
  private static final class Sample {
    private final String name;
    private final byte[] frame;
    private final Reader reader;

    Sample(String name, byte[] frame, Reader reader) {
      this.name = name;
      this.frame = frame;
      this.reader = reader;
    }
  }

  private static ByteBuffer some(int bytes) {
    return ByteBuffer.wrap(new byte[bytes]);
  }

  private static QueryOptions options(int version, boolean named) {
    return new QueryOptions(
        1,
        named ? List.of() : List.of(some(4), some(1)),
        named ? Map.of("a", some(4)) : Map.of(),
        false,
        100,
        some(20),
        8,
        5,
        version >= 5 ? "ks" : null,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  private static Object values(CqlRequest.Execute read) {
    List<ReadTemplate.Bound> all =
        List.of(new ReadTemplate.Bound(0, "a", null), new ReadTemplate.Bound(1, "b", null));
    return read.parameters().values().bytes(all);
  }

  private static List<Sample> samples(int version) {
    List<Sample> all = new ArrayList<>();
    String keyspace = version >= 5 ? "ks" : null;
    byte[] metadataId = version >= 5 ? new byte[4] : null;
    request(all, version, new Startup(Map.of("COMPRESSION", "lz4")), CqlCodec::readStartup);
    request(all, version, new Register(List.of("SCHEMA_CHANGE")), CqlCodec::readRegister);
    request(all, version, new AuthResponse(some(8)), CqlCodec::readAuthResponse);
    request(all, version, new Query("SELECT", options(version, false)), CqlRequest::of);
    request(all, version, new Query("SELECT", options(version, true)), CqlRequest::of);
    request(
        all, version, new Query("SELECT", options(version, false)), AnnouncedLengthsTest::template);
    request(
        all,
        version,
        new Execute(new byte[8], metadataId, options(version, false)),
        frame -> values((CqlRequest.Execute) CqlRequest.of(frame)));
    request(all, version, new Prepare("SELECT", keyspace), CqlRequest::of);
    request(
        all,
        version,
        new Batch(
            (byte) 0,
            List.of("INSERT", new byte[8]),
            List.of(List.of(some(3)), List.of()),
            1,
            8,
            5,
            keyspace,
            QueryOptions.NO_NOW_IN_SECONDS),
        CqlRequest::of);
    byte[] rows = rows(version).row(some(4), null, some(3)).bytes();
    all.add(new Sample("rows", rows, CqlCodec::readRows));
    all.add(new Sample("rows in place", rows, AnnouncedLengthsTest::walk));
    byte[] bare = rows(version).skipMetadata().bytes();
    all.add(new Sample("no rows of unsaid columns", bare, AnnouncedLengthsTest::walk));
    return all;
  }

  private static TestRows rows(int version) {
    TestRows rows = new TestRows("a int, m map<text;list<int>>, u udt<text>");
    return version < 4
        ? rows.version(version)
        : rows.version(version).warning("beware").payload("k", (byte) 1, (byte) 2);
  }

  private static Object template(Frame frame) {
    return List.of(Objects.requireNonNull(CqlRequest.of(frame)), ReadTemplate.of(frame).rest());
  }

  private static Object walk(Frame frame) {
    RowsAnswer answer = RowsAnswer.of(frame);
    RowCursor row = answer.rows();
    while (row.next()) {
      row.cell(0);
    }
    return List.of(row, answer.metadata());
  }

  private static void request(List<Sample> to, int version, Message message, Reader reader) {
    String name = message.getClass().getSimpleName();
    to.add(new Sample(name, WireEnd.request(version, 1, message), reader));
    if (version >= ProtocolConstants.Version.V4) {
      Map<String, ByteBuffer> payload = Map.of("k", some(4));
      byte[] loaded = WireEnd.request(version, 1, false, payload, message);
      to.add(new Sample(name + " behind a payload", loaded, reader));
    }
  }

  @TestFactory
  List<DynamicTest> no_claim_is_believed() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int version = 3; version <= 5; version++) {
      for (Sample sample : samples(version)) {
        tests.add(DynamicTest.dynamicTest(sample.name + " v" + version, () -> doubt(sample)));
      }
    }
    return tests;
  }

  /** Changes the numbers of columns and rows together, as their product is checked too. */
  @Test
  void two_wrong_counts_together_are_not_trusted() {
    byte[] bare = rows(3).skipMetadata().bytes();
    for (int columns : EXTREMES) {
      for (int rows : EXTREMES) {
        byte[] bent = bent(bent(bare, bare.length - 8, 4, columns), bare.length - 4, 4, rows);
        doubt(new Sample("rows", bent, AnnouncedLengthsTest::walk), columns + " columns, " + rows);
      }
    }
  }

  private static void doubt(Sample sample) {
    assertThat(outcome(sample)).as("sound").isNotInstanceOf(Throwable.class);
    for (int at = Frame.HEADER_LENGTH; at < sample.frame.length; at++) {
      for (int extreme : EXTREMES) {
        doubt(sample, at, Integer.BYTES, extreme);
      }
      for (int extreme : SHORT_EXTREMES) {
        doubt(sample, at, Short.BYTES, extreme);
      }
    }
  }

  private static void doubt(Sample sample, int at, int width, int claim) {
    byte[] bent = bent(sample.frame, at, width, claim);
    String what = "%s, %d bytes at %d set to %d".formatted(sample.name, width, at, claim);
    doubt(new Sample(sample.name, bent, sample.reader), what);
  }

  private static byte[] bent(byte[] frame, int at, int width, int claim) {
    byte[] bent = frame.clone();
    for (int i = 0; i < width && at + i < bent.length; i++) {
      bent[at + i] = (byte) (claim >>> (8 * (width - 1 - i)));
    }
    return bent;
  }

  private static void doubt(Sample bent, String what) {
    long bound = FIXED_BYTES + BYTES_PER_BYTE * bent.frame.length;
    long allocated = allocated(bent, what);
    // The first run loads classes.
    assertThat(allocated < bound ? allocated : allocated(bent, what)).as(what).isLessThan(bound);
  }

  private static long allocated(Sample bent, String what) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Object outcome = outcome(bent);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (outcome instanceof Throwable thrown) {
      assertThat(thrown).as(what).isInstanceOf(ProtocolError.class);
    }
    return allocated;
  }

  /** Returns the reader's result or exception, and releases the frame. */
  private static Object outcome(Sample sample) {
    ByteBuf buffer = Unpooled.wrappedBuffer(sample.frame);
    Object outcome;
    try {
      outcome = String.valueOf(sample.reader.read(new Frame(buffer)));
    } catch (Throwable e) {
      outcome = e;
    }
    assertThat(buffer.refCnt()).as(sample.name + ": the frame stays the caller's").isOne();
    buffer.release();
    return outcome;
  }
}
