package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.Client;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.ProxyContext;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a page keeps only the pieces that it still needs, however many it has read. */
class KeptPiecesTest {

  private static final int IN_FLIGHT = 8;
  private static final int PIECES = 2_000;
  private static final int PARTITIONS = 1_000;

  private final PageFixture fixture =
      new PageFixture(
          new SplitConfig(SplitConfig.Parallel.WAVES, PARTITIONS, 0, IN_FLIGHT, 64 << 20, false));

  @AfterEach
  void nothing_is_left() {
    fixture.close();
  }

  private static Frame one() {
    return new TestRows("count bigint").row(ByteBuffer.allocate(Long.BYTES)).frame();
  }

  @Test
  void a_count_of_thousands_of_pieces_keeps_only_those_in_flight() {
    fixture.counted((long) PIECES * PARTITIONS);
    Page page = fixture.page("SELECT count(*) FROM ks.t", -1);
    int answered = 0;
    while (answered < 1_100) {
      List<Sent> sent = fixture.sent();
      assertThat(sent).as("requests after %d answers", answered).isNotEmpty();
      sent.forEach(each -> each.answer(one()));
      answered += sent.size();
    }
    assertThat(page.read.facts(-1).piecesDone()).isEqualTo(answered);
    assertThat(page.read.facts(-1).pieces()).isGreaterThan(answered);
    for (String type : List.of("PieceRead", "PieceAttempt", "PieceProgress", "PieceAnswers")) {
      assertThat(kept(page.read, type)).as(type).isBetween(1, 3 * IN_FLIGHT);
    }
    while (page.told.isEmpty()) {
      fixture.sent().forEach(each -> each.answer(one()));
    }
    assertThat(page.told).containsExactly("rows [0]");
  }

  /** Without its first piece no rows are merged, but those behind it are read. */
  @Test
  void a_slow_first_piece_lets_the_merger_alone_keep_the_answers_behind_it() {
    fixture.counted((long) PIECES * PARTITIONS);
    Page page = fixture.page("SELECT count(*) FROM ks.t", -1);
    List<Sent> sent = fixture.sent();
    Sent slow = sent.get(0);
    List<Sent> others = sent.subList(1, sent.size());
    for (int answered = 0; answered < 300; answered += others.size()) {
      others.forEach(each -> each.answer(one()));
      others = fixture.sent();
      assertThat(others).isNotEmpty();
    }
    for (String type : List.of("PieceRead", "PieceAttempt", "PieceProgress")) {
      assertThat(kept(page.read, type)).as(type).isBetween(1, 3 * IN_FLIGHT);
    }
    page.read.close();
    slow.answer(one());
    others.forEach(each -> each.answer(one()));
  }

  /** Returns how many objects of a class are reachable from a page, not through shared objects. */
  private static int kept(Object page, String type) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Object> left = new ArrayDeque<>(List.of(page));
    int found = 0;
    while (!left.isEmpty()) {
      Object next = left.remove();
      if (!isShared(next) && seen.add(next)) {
        found += next.getClass().getSimpleName().equals(type) ? 1 : 0;
        addReferences(next, left);
      }
    }
    return found;
  }

  private static boolean isShared(Object each) {
    return each instanceof ProxyContext
        || each instanceof RangeContext
        || each instanceof Client
        || each instanceof Lane
        || each instanceof Frame;
  }

  private static void addReferences(Object from, Collection<Object> to) {
    if (from instanceof Collection<?> all) {
      all.forEach(each -> add(each, to));
    } else if (from instanceof Map<?, ?> all) {
      all.forEach(
          (key, value) -> {
            add(key, to);
            add(value, to);
          });
    } else {
      for (Class<?> of = from.getClass(); isOurs(of); of = of.getSuperclass()) {
        for (Field field : of.getDeclaredFields()) {
          addValue(field, from, to);
        }
      }
    }
  }

  private static boolean isOurs(@Nullable Class<?> type) {
    return type != null && type.getName().startsWith("io.sluice.");
  }

  private static void addValue(Field field, Object of, Collection<Object> to) {
    if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
      return;
    }
    try {
      field.setAccessible(true);
      add(field.get(of), to);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static void add(@Nullable Object each, Collection<Object> to) {
    if (each != null) {
      to.add(each);
    }
  }
}
