package io.sluice.exchange.range;

import io.sluice.accept.Client;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.execute.reply.Failure;
import io.sluice.meter.SplitMeters;
import io.sluice.time.Timer;
import io.sluice.wire.Frame;
import io.sluice.wire.ReadTemplate;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Next pages, read while their clients work on the last. A page that nobody asks for is dropped
 * after a while. Safe for any thread; each page is its client's lane's.
 */
final class ReadAhead {

  /** How long a page waits for its client. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final BufferBudget budget;
  private final SplitMeters meters;
  private final Map<Key, Ahead> pages = new ConcurrentHashMap<>();

  /** What a request must say to get a page. */
  private record Key(
      long client, StatementDigest digest, ByteBuffer state, int pageSize, ByteBuffer rest) {}

  ReadAhead(BufferBudget budget, SplitMeters meters) {
    this.budget = budget;
    this.meters = meters;
  }

  private static Key key(RangePage page, ByteBuffer state) {
    return new Key(
        page.client().id(),
        page.digest(),
        state,
        page.statement().pageSize(),
        ReadTemplate.of(page.frame()).rest());
  }

  /**
   * Begins a page.
   *
   * @param state the paging state that its client will ask for it with
   * @param reading makes the read, given where its outcome goes
   */
  void start(RangePage page, ByteBuffer state, Function<PageOutcome, ScatterRead> reading) {
    Key key = key(page, state);
    Ahead ahead = new Ahead(key, page.client());
    if (pages.putIfAbsent(key, ahead) == null) {
      ahead.begin(reading);
    }
  }

  /** The page that is asked for, if it was begun; whoever takes it has to use or drop it. */
  @Nullable Ahead take(RangePage page) {
    ByteBuffer state = page.range().parameters().pagingState();
    return state == null || pages.isEmpty() ? null : pages.remove(key(page, state));
  }

  /** Drops what was begun for a client that has gone. */
  void forget(Client client) {
    pages.values().forEach(page -> page.dropIfOf(client));
  }

  /** One page, before and after it is asked for. */
  final class Ahead implements PageOutcome {

    private final Key key;
    private final Client client;
    private @Nullable ScatterRead read;
    private Timer.@Nullable Timeout expiry;
    private @Nullable ScatterExchange asker;
    private @Nullable Frame ready;
    private @Nullable ByteBuffer readyState;
    private boolean useless;

    Ahead(Key key, Client client) {
      this.key = key;
      this.client = client;
    }

    void begin(Function<PageOutcome, ScatterRead> reading) {
      expiry = client.lane().schedule(PATIENCE_NANOS, this::drop);
      ScatterRead begun = reading.apply(this);
      read = begun;
      begun.start();
    }

    /** It is asked for now; what went wrong is tried again. */
    void giveTo(ScatterExchange exchange) {
      stopWaiting();
      ScatterRead begun = read;
      Frame frame = ready;
      if (useless || begun == null) {
        exchange.startAnew();
        return;
      }
      meters.aheadUsed();
      if (frame == null) {
        asker = exchange;
        exchange.adopt(begun);
      } else {
        ready = null;
        budget.take(-frame.length());
        exchange.page(frame, readyState);
      }
    }

    void drop() {
      stopWaiting();
      if (!useless) {
        meters.aheadDropped();
      }
      useless = true;
      if (read != null) {
        read.close();
      }
      if (ready != null) {
        budget.take(-ready.length());
        ready.release();
        ready = null;
      }
    }

    private void dropIfOf(Client gone) {
      if (client.id() == gone.id()) {
        client.lane().run(this::drop);
      }
    }

    private void stopWaiting() {
      pages.remove(key, this);
      if (expiry != null) {
        expiry.cancel();
        expiry = null;
      }
    }

    @Override
    public void page(Frame answer, @Nullable ByteBuffer pagingState) {
      if (asker != null) {
        asker.page(answer, pagingState);
      } else {
        budget.take(answer.length());
        ready = answer;
        readyState = pagingState;
      }
    }

    @Override
    public void error(Frame answer) {
      if (asker != null) {
        asker.error(answer);
      } else {
        answer.release();
        drop();
      }
    }

    @Override
    public void failed(Failure failure) {
      if (asker != null) {
        asker.failed(failure);
      } else {
        drop();
      }
    }

    @Override
    public void mustGoWhole() {
      if (asker != null) {
        asker.mustGoWhole();
      } else {
        drop();
      }
    }

    @Override
    public void schemaChanged(String message) {
      if (asker != null) {
        asker.schemaChanged(message);
      } else {
        drop();
      }
    }

    @Override
    public void progressed() {
      if (asker != null) {
        asker.progressed();
      }
    }

    @Override
    public boolean isWanted() {
      return asker == null ? !useless : asker.isWanted();
    }
  }
}
