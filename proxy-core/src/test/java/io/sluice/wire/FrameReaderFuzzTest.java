package io.sluice.wire;

import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.time.SystemTime;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fuzz test of the reader with valid streams that are changed and cut at random. Nothing is
 * thrown or logged, memory stays bounded and every buffer is released. Runs for {@code
 * sluice.fuzz.seconds}, default 2.
 */
class FrameReaderFuzzTest {

  private static final int MAX_HELD_BYTES = 4 << 20;

  /** One allocator for all rounds, because it returns its memory late. */
  private static final CountedBuffers BUFFERS = new CountedBuffers();

  @RegisterExtension static final FuzzLimits LIMITS = new FuzzLimits(BUFFERS);

  @Test
  void hostile_bytes_are_survived() {
    long seconds = Long.getLong("sluice.fuzz.seconds", 2);
    SystemTime clock = new SystemTime();
    long end = clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long seed = Long.getLong("sluice.fuzz.seed", clock.nanoTime());
    for (; clock.nanoTime() < end; seed++) {
      try {
        Random random = new Random(seed);
        LIMITS.check(ByteBuffer.allocate(Long.BYTES).putLong(seed).array(), () -> survive(random));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dsluice.fuzz.seed=" + seed, e);
      }
    }
  }

  private static void survive(Random random) {
    Compression by =
        List.of(Compression.NONE, Compression.LZ4, Compression.SNAPPY).get(random.nextInt(3));
    boolean segments = by != Compression.SNAPPY && random.nextBoolean();
    WireEnd end = new WireEnd(segments ? Framing.Side.SERVER : side(random), BUFFERS);
    end.channel.pipeline().addLast(LIMITS.counter());
    if (segments) {
      end.afterReady(by);
    } else {
      end.framing.compression(by);
    }
    for (int n = random.nextInt(6); n >= 0; n--) {
      byte[] bytes = segments ? segment(random, by) : frame(random);
      bend(random, bytes);
      int cut = random.nextInt(bytes.length + 1);
      end.arrive(bytes, cut);
      if (BUFFERS.pinnedDirectMemory() >= MAX_HELD_BYTES) {
        throw new AssertionError("bytes held: " + BUFFERS.pinnedDirectMemory());
      }
    }
    end.channel.checkException();
    for (String said : end.understood()) {
      if (said.startsWith("?")) {
        throw new AssertionError(said);
      }
    }
    end.heldAfterClose();
  }

  private static Framing.Side side(Random random) {
    return random.nextInt(4) == 0 ? Framing.Side.CLIENT : Framing.Side.SERVER;
  }

  private static byte[] frame(Random random) {
    int version = 3 + random.nextInt(3);
    byte[] frame =
        switch (random.nextInt(4)) {
          case 0 -> WireEnd.request(version, 1, Options.INSTANCE);
          case 1 -> WireEnd.request(version, 2, new Query("x".repeat(random.nextInt(600))));
          case 2 ->
              WireEnd.request(
                  version,
                  3,
                  new Batch(
                      (byte) 0, List.of("a"), List.of(List.of()), 1, 8, Long.MIN_VALUE, null, -1));
          default -> {
            byte[] noise = new byte[1 + random.nextInt(40)];
            random.nextBytes(noise);
            yield noise;
          }
        };
    if (frame.length > 9 && random.nextInt(3) == 0) {
      frame[1] |= 1;
    }
    return frame;
  }

  private static byte[] segment(Random random, Compression by) {
    byte[] inside = WireEnd.joined(frame(random), frame(random));
    bend(random, inside);
    return random.nextInt(5) == 0 && by == Compression.LZ4
        ? HandMade.compressedSegment(inside, random.nextInt(1 << 17))
        : WireEnd.segment(by, random.nextInt(3) > 0, inside);
  }

  private static void bend(Random random, byte[] bytes) {
    for (int n = random.nextInt(4) - 1; n > 0; n--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
  }
}
