package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deferred syncs on a disk that records its calls. */
class WaitingSyncsTest {
  private static final int PERMITS = 2000;

  private final List<String> done = new ArrayList<>();
  private final TreeMap<Integer, String> open = new TreeMap<>();
  private final Set<String> broken = new HashSet<>();
  private final Set<String> missing = new HashSet<>();
  private final Map<String, Long> sizes = new HashMap<>();
  private String impossible = "";
  private final Semaphore descriptors = new Semaphore(PERMITS);
  private final JoinCounts counts = new JoinCounts();
  private final WaitingSyncs syncs = new WaitingSyncs(new FakeDisk(), descriptors, counts);

  private final class FakeDisk implements Disk {
    private int last;

    @Override
    public int open(String path) throws IOException {
      if (missing.contains(path)) {
        throw new IOException("open failed");
      }
      open.put(++last, path);
      return last;
    }

    @Override
    public long size(String path) {
      return sizes.getOrDefault(path, 1L);
    }

    @Override
    public void beginWriting(int descriptor) {
      done.add("begin " + open.get(descriptor));
    }

    @Override
    public void sync(int descriptor) throws IOException {
      String path = open.get(descriptor);
      if (path.equals(impossible)) {
        throw new LinkageError("no such function");
      }
      if (broken.contains(path)) {
        throw new IOException("fsync failed, errno 5");
      }
      done.add("sync " + path);
    }

    @Override
    public void close(int descriptor) {
      assertThat(open.remove(descriptor)).isNotNull();
    }
  }

  @BeforeEach
  void aRecordIsLogged() {
    syncs.logged("/t/txn.log");
    assertThat(done).containsExactly("sync /t/txn.log");
    done.clear();
  }

  @AfterEach
  void no_file_stays_open_and_no_permit_is_lost() {
    syncs.drop();
    assertThat(open).isEmpty();
    assertThat(descriptors.availablePermits()).isEqualTo(PERMITS);
  }

  /** Without a durable log, an incomplete file would not be removed at the next start. */
  @Test
  void no_sync_is_deferred_before_a_record_is_logged() {
    WaitingSyncs other = new WaitingSyncs(new FakeDisk(), descriptors, counts);

    assertThat(other.putOff(new Object(), "/u/Data.db")).isFalse();
    assertThat(other.putOffFolder("/u")).isFalse();
  }

  @Test
  void a_log_that_cannot_be_synced_ends_the_deferral_and_fails_the_commit() {
    broken.add("/t/txn.log");
    syncs.putOff(new Object(), "/t/1");

    syncs.logged("/t/txn.log");

    assertThat(syncs.putOff(new Object(), "/t/2")).isFalse();
    assertThatThrownBy(syncs::finish).hasMessageContaining("/t/txn.log could not be synced");
  }

  @Test
  void files_are_synced_before_folders_each_once() throws Exception {
    Object data = new Object();
    assertThat(syncs.putOffFolder("/t")).isTrue();
    assertThat(syncs.putOff(data, "/t/Data.db")).isTrue();
    assertThat(syncs.putOffFolder("/t")).isTrue();
    assertThat(syncs.putOff(new Object(), "/t/Index.db")).isTrue();
    assertThat(syncs.putOff(data, "/t/Data.db")).isTrue();
    assertThat(done).isEmpty();
    assertThat(syncs.size()).isEqualTo(2);

    syncs.finish();

    assertThat(done)
        .as("all are being written before the first is waited for")
        .containsExactly(
            "begin /t/Data.db",
            "begin /t/Index.db",
            "sync /t/Data.db",
            "sync /t/Index.db",
            "sync /t");
    assertThat(counts.syncsPutOff).hasValue(5);
    assertThat(counts.filesSynced).hasValue(2);
    assertThat(syncs.size()).isZero();
  }

  @Test
  void files_are_written_early_in_batches() {
    Object large = new Object();
    sizes.put("/t/1-Data.db", WaitingSyncs.BATCH_BYTES - 2);
    syncs.putOff(large, "/t/1-Data.db");
    syncs.putOff(new Object(), "/t/1-Index.db");
    assertThat(done).isEmpty();

    syncs.putOff(new Object(), "/t/1-Filter.db");
    assertThat(done)
        .containsExactly("begin /t/1-Data.db", "begin /t/1-Index.db", "begin /t/1-Filter.db");
    done.clear();

    sizes.put("/t/1-Data.db", 2 * WaitingSyncs.BATCH_BYTES - 3);
    syncs.putOff(large, "/t/1-Data.db");
    assertThat(done).as("one byte less than a batch since then").isEmpty();
    syncs.putOff(new Object(), "/t/2-Index.db");
    assertThat(done).containsExactly("begin /t/1-Data.db", "begin /t/2-Index.db");
  }

  /** The name may refer to another file by then. */
  @Test
  void two_writers_of_one_path_are_two_files() throws Exception {
    syncs.putOff(new Object(), "/t/Statistics.db");
    syncs.putOff(new Object(), "/t/Statistics.db");

    assertThat(open).hasSize(2);
    syncs.finish();
    assertThat(counts.filesSynced).hasValue(2);
  }

  @Test
  void a_writer_without_a_path_must_have_given_it_at_its_open() {
    Object writer = new Object();
    assertThat(syncs.putOff(writer, null)).isFalse();

    syncs.open(writer, "/t/Filter.db");
    assertThat(syncs.putOff(writer, null)).isTrue();
    syncs.sstableFinished();
    assertThat(syncs.putOff(writer, null)).isFalse();
  }

  /**
   * Cassandra rewrites the metadata of an SSTable that was streamed as files, and does not sync it.
   */
  @Test
  void a_file_that_was_opened_is_synced_even_without_a_request() throws Exception {
    syncs.open(new Object(), "/t/Statistics.db");

    syncs.finish();

    assertThat(done).containsExactly("begin /t/Statistics.db", "sync /t/Statistics.db");
    assertThat(counts.syncsPutOff).hasValue(0);
  }

  @Test
  void the_sync_of_a_file_that_cannot_be_opened_is_not_deferred() {
    missing.add("/t/Data.db");
    missing.add("/t");

    assertThat(syncs.putOff(new Object(), "/t/Data.db")).isFalse();
    assertThat(syncs.putOffFolder("/t")).isFalse();
    assertThat(counts.syncsPutOff).hasValue(0);
  }

  @Test
  void no_sync_is_deferred_after_finish_or_drop() throws Exception {
    syncs.finish();

    assertThat(syncs.putOff(new Object(), "/t/Data.db")).isFalse();
    assertThat(syncs.putOffFolder("/t")).isFalse();
  }

  @Test
  void dropped_files_are_closed_and_not_synced() {
    syncs.putOff(new Object(), "/t/Data.db");
    syncs.putOffFolder("/t");
    done.clear();

    syncs.drop();

    assertThat(done).isEmpty();
  }

  @Test
  void a_failed_sync_is_reported_after_all_others_are_done() {
    broken.add("/t/Data.db");
    broken.add("/u");
    syncs.putOff(new Object(), "/t/Data.db");
    syncs.putOff(new Object(), "/t/Index.db");
    syncs.putOffFolder("/t");
    syncs.putOffFolder("/u");
    done.clear();

    assertThatThrownBy(syncs::finish)
        .isInstanceOf(SyncFailed.class)
        .hasMessage("/t/Data.db could not be synced: fsync failed, errno 5")
        .extracting(e -> ((SyncFailed) e).path())
        .isEqualTo("/t/Data.db");
    assertThat(done).endsWith("sync /t/Index.db", "sync /t");
  }

  @Test
  void above_a_number_of_files_they_are_synced_early() {
    for (int i = 0; i < WaitingSyncs.MAX_FILES; i++) {
      syncs.putOff(new Object(), "/t/" + i);
    }
    assertThat(counts.filesSynced).hasValue(0);

    syncs.putOff(new Object(), "/t/last");

    assertThat(counts.filesSynced).hasValue(WaitingSyncs.MAX_FILES);
    assertThat(syncs.size()).isOne();
  }

  @Test
  void a_failed_early_sync_is_reported_at_the_end() {
    broken.add("/t/0");
    for (int i = 0; i <= WaitingSyncs.MAX_FILES; i++) {
      syncs.putOff(new Object(), "/t/" + i);
    }

    assertThatThrownBy(syncs::finish).hasMessageContaining("/t/0 could not be synced");
  }

  /** However an early sync ended, files that were taken and not synced are noticed at the end. */
  @Test
  void an_early_sync_that_did_not_return_is_noticed_at_the_end() {
    impossible = "/t/1";
    for (int i = 0; i < WaitingSyncs.MAX_FILES; i++) {
      syncs.putOff(new Object(), "/t/" + i);
    }
    assertThatThrownBy(() -> syncs.putOff(new Object(), "/t/last"))
        .isInstanceOf(LinkageError.class);

    assertThatThrownBy(syncs::finish).isInstanceOf(SyncFailed.class);
    open.clear();
    descriptors.drainPermits();
    descriptors.release(PERMITS);
  }

  @Test
  void
      when_all_descriptors_are_taken_a_receiver_syncs_its_own_and_one_without_any_waits_for_none() {
    descriptors.acquireUninterruptibly(PERMITS - 1);
    WaitingSyncs other = new WaitingSyncs(new FakeDisk(), descriptors, new JoinCounts());
    other.logged("/u/txn.log");
    assertThat(syncs.putOff(new Object(), "/t/1")).isTrue();
    assertThat(other.putOff(new Object(), "/u/1")).isFalse();

    assertThat(syncs.putOff(new Object(), "/t/2")).isTrue();
    assertThat(done).contains("sync /t/1");
    assertThat(syncs.size()).isOne();
    descriptors.release(PERMITS - 1);
  }

  @Test
  void bytes_are_those_of_the_files() throws Exception {
    sizes.put("/t/Data.db", 1234L);
    syncs.putOff(new Object(), "/t/Data.db");

    syncs.finish();

    assertThat(counts.bytesSynced).hasValue(1234);
  }
}
