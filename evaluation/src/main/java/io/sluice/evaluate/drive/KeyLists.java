package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.load.RequestFailure;
import io.sluice.load.SeenRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads of several rows of a table by an IN of their keys. */
final class KeyLists implements Requests {
  private final CqlSession session;
  private final Data data;
  private final int keys;
  private final Check check;
  private final PreparedStatement statement;

  /** Creates reads of {@code keys} different keys, at most as many as the table has rows. */
  KeyLists(CqlSession session, Data data, int keys, Check check) {
    this.session = session;
    this.data = data;
    this.keys = atMost(keys, data.rows().size());
    this.check = check;
    this.statement = session.prepare("SELECT k, v, sum FROM " + data.table(0) + " WHERE k IN ?");
  }

  private static int atMost(int keys, int rows) {
    if (keys < 1 || keys > rows) {
      throw new IllegalArgumentException("an IN of " + keys + " keys of " + rows + " rows");
    }
    return keys;
  }

  @Override
  public Ask next(SplittableRandom random) {
    List<ByteBuffer> drawn = draw(data, keys, random);
    boolean verify = check.rowByRow(random);
    return new Ask(
        RequestClass.LIST,
        () ->
            session
                .executeAsync(statement.bind().setList(0, drawn, ByteBuffer.class))
                .thenCompose(page -> checked(page, drawn, verify)));
  }

  /** Draws different keys. */
  static List<ByteBuffer> draw(Data data, int keys, SplittableRandom random) {
    Set<Integer> places = new LinkedHashSet<>();
    while (places.size() < keys) {
      places.add(random.nextInt(data.rows().size()));
    }
    return places.stream().map(place -> data.rows().key(place).duplicate()).toList();
  }

  private CompletionStage<@Nullable RequestFailure> checked(
      AsyncResultSet page, List<ByteBuffer> asked, boolean verify) {
    return verify
        ? Answer.kept(page, Tables::seen).thenApply(all -> fault(asked, all.rows()))
        : Answer.counted(page).thenApply(all -> all.fault(asked.size()));
  }

  /**
   * Returns null if each requested key has exactly one unchanged row, in any order; else the
   * reason.
   */
  static @Nullable RequestFailure fault(List<ByteBuffer> asked, List<SeenRow> seen) {
    if (seen.size() < asked.size()) {
      return RequestFailure.SHORT_READ;
    }
    List<ByteBuffer> keys = new ArrayList<>();
    for (SeenRow row : seen) {
      keys.add(row.key());
    }
    boolean right =
        seen.size() == asked.size()
            && seen.stream().allMatch(SeenRow::intact)
            && new HashSet<>(keys).equals(new HashSet<>(asked));
    return right ? null : RequestFailure.WRONG_ROWS;
  }
}
