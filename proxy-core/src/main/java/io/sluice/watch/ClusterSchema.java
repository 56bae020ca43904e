package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.time.Lane;
import io.sluice.wire.SchemaChange;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of the cluster: its version at each node, the driver's copy with the changes of which
 * no event came, the masks that the driver does not read, and indexes that are not built yet.
 *
 * <p>The constructor blocks for its queries; all else happens on one lane.
 */
final class ClusterSchema implements SchemaSettling.Source {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterSchema.class);

  private static final SimpleStatement VERSION =
      SimpleStatement.newInstance("SELECT schema_version FROM system.local");

  private final LocalNodes nodes;
  private final Lane lane;
  private final Runnable listener;
  private final MaskWatch masks;
  private final SchemaVersions versions;
  private final IndexBuilds indexes;
  private final SchemaGap gap;
  private final RetryPause pause = new RetryPause();
  private boolean readFailed;
  private @Nullable Object lastChannel;

  /**
   * Reads the masked tables, and the schema if the driver has none. Blocks until then.
   *
   * @param lane the lane of all calls
   * @param listener called when the driver has read the schema, and when the masked tables have
   *     changed
   */
  ClusterSchema(LocalNodes nodes, Refusals refusals, Lane lane, Runnable listener) {
    this.nodes = nodes;
    this.lane = lane;
    this.listener = listener;
    this.masks = new MaskWatch(nodes.session(), lane, listener);
    DriverSession session = nodes.session().get();
    this.readFailed = !hasSchema(session);
    Metadata metadata = session.metadata();
    this.versions = new SchemaVersions(this::version, lane);
    this.indexes =
        IndexBuilds.of(
            (node, query) -> refusals.logged(Grant.INDEXES, nodes.ask(node, query)),
            lane,
            metadata.getKeyspaces());
    this.gap = new SchemaGap(session.controlChannel(), metadata.getKeyspaces());
  }

  private static boolean hasSchema(DriverSession session) {
    try {
      session.requireSchema();
      return true;
    } catch (RuntimeException e) {
      LOG.warn(
          "The schema cannot be read yet: {}. Until then, range reads are not split",
          ConnectFailure.reason(e));
      return false;
    }
  }

  /**
   * The result of a read.
   *
   * @param masked whether the masked tables were read too
   */
  private record Reading(Metadata schema, boolean masked) {}

  private CompletionStage<@Nullable UUID> version(NodeId node) {
    return nodes.ask(node, VERSION).thenApply(ClusterSchema::version);
  }

  private static @Nullable UUID version(AsyncResultSet rows) {
    Row row = rows.one();
    return row == null ? null : row.getUuid("schema_version");
  }

  /** Returns the tables with masked columns, as far as known. */
  Set<TableName> masked() {
    return masks.known();
  }

  /** Asks a node for the masked tables. */
  void readMasks() {
    masks.read(nodes.up());
  }

  /** Takes over the driver's current schema, unless events may have been missed. */
  void follow(Metadata metadata) {
    gap.follow(nodes.session().get().controlChannel(), metadata.getKeyspaces());
  }

  /**
   * Whether to read the schema because changes may be missing: the control connection has moved, so
   * that events may have been missed, or the last read has failed. Failed reads are repeated after
   * a growing pause, and at once when the control connection has moved.
   *
   * @param now the current time, in nanoseconds
   */
  boolean isReadDue(long now) {
    Object channel = nodes.session().get().controlChannel();
    if (!readFailed && !gap.isOpen(channel)) {
      pause.end();
      return false;
    }
    if (channel != lastChannel) {
      pause.end();
      lastChannel = channel;
    }
    if (!pause.isOver(now)) {
      return false;
    }
    pause.start(now);
    return true;
  }

  @Override
  public CompletionStage<Boolean> agree() {
    return versions.agree(nodes.up());
  }

  @Override
  public boolean allHeard() {
    return versions.allHeard();
  }

  @Override
  public CompletionStage<?> read() {
    DriverSession session = nodes.session().get();
    Object channel = session.controlChannel();
    List<NodeId> answering = nodes.up().stream().filter(id -> !versions.isSilent(id)).toList();
    return session
        .readSchema()
        .thenCombine(masks.read(answering), Reading::new)
        .whenCompleteAsync(
            (reading, failure) -> readFailed = reading == null || !reading.masked(), lane)
        .thenComposeAsync(
            reading -> {
              Metadata metadata = reading.schema();
              gap.read(channel, metadata.getKeyspaces());
              listener.run();
              return indexes.built(IndexBuilds.indexes(metadata.getKeyspaces()), answering);
            },
            lane);
  }

  @Override
  public List<SchemaChange> missed() {
    return gap.close();
  }
}
