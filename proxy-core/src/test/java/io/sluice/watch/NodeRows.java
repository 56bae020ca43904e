package io.sluice.watch;

import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.detach.AttachmentPoint;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.registry.CodecRegistry;
import com.datastax.oss.driver.internal.core.cql.DefaultColumnDefinition;
import com.datastax.oss.driver.internal.core.cql.DefaultColumnDefinitions;
import com.datastax.oss.driver.internal.core.cql.DefaultExecutionInfo;
import com.datastax.oss.driver.internal.core.cql.DefaultRow;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A page of a node's answer: rows of the driver with values of the test. */
final class NodeRows implements AsyncResultSet {

  private static final Map<String, DataType> TYPES =
      Map.of(
          "text", DataTypes.TEXT,
          "int", DataTypes.INT,
          "bigint", DataTypes.BIGINT,
          "inet", DataTypes.INET,
          "uuid", DataTypes.UUID,
          "blob", DataTypes.BLOB,
          "map", DataTypes.mapOf(DataTypes.TEXT, DataTypes.TEXT),
          "set", DataTypes.setOf(DataTypes.TEXT));

  private final List<ColumnSpec> specs = new ArrayList<>();
  private final List<DataType> types = new ArrayList<>();
  private final Queue<List<ByteBuffer>> cells = new ArrayDeque<>();
  private final Queue<Row> unread = new ArrayDeque<>();
  private Map<String, ByteBuffer> payload = Map.of();
  private Node coordinator = DriverMetadata.driverNode(1, null, "dc", "rack");
  private @Nullable CompletionStage<AsyncResultSet> next;

  /** Begins a page without rows of these columns, written as {@code name type, …}. */
  NodeRows(String columns) {
    for (String column : columns.split(", ", -1)) {
      String[] words = column.split(" ", -1);
      DataType type = Objects.requireNonNull(TYPES.get(words[1]), column);
      types.add(type);
      specs.add(new ColumnSpec("ks", "t", words[0], specs.size(), raw(type)));
    }
  }

  private static RawType raw(DataType type) {
    RawType text = RawType.PRIMITIVES.get(DataTypes.TEXT.getProtocolCode());
    return switch (type.asCql(false, false)) {
      case "map<text, text>" -> new RawType.RawMap(text, text);
      case "set<text>" -> new RawType.RawSet(text);
      default -> Objects.requireNonNull(RawType.PRIMITIVES.get(type.getProtocolCode()));
    };
  }

  NodeRows row(@Nullable Object... values) {
    List<ByteBuffer> row = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      row.add(
          CodecRegistry.DEFAULT
              .codecFor(types.get(i))
              .encode(values[i], DefaultProtocolVersion.V4));
    }
    cells.add(row);
    unread.add(new DefaultRow(getColumnDefinitions(), row, AttachmentPoint.NONE));
    return this;
  }

  /** Makes another page follow this one. */
  NodeRows then(CompletionStage<AsyncResultSet> following) {
    next = following;
    return this;
  }

  /** Sets the node that has answered. */
  NodeRows from(Node node) {
    coordinator = node;
    return this;
  }

  NodeRows payload(Map<String, ByteBuffer> entries) {
    payload = entries;
    return this;
  }

  /** Returns the answer as a fake node sends it. */
  Message message() {
    @Nullable ByteBuffer noPaging = null;
    return new DefaultRows(new RowsMetadata(specs, noPaging, new int[0], null), cells);
  }

  @Override
  public ColumnDefinitions getColumnDefinitions() {
    return DefaultColumnDefinitions.valueOf(
        specs.stream()
            .<ColumnDefinition>map(each -> new DefaultColumnDefinition(each, AttachmentPoint.NONE))
            .toList());
  }

  @Override
  public ExecutionInfo getExecutionInfo() {
    Frame frame = Frame.forResponse(4, 0, null, payload, List.of(), new Ready());
    return new DefaultExecutionInfo(
        SimpleStatement.newInstance(""),
        coordinator,
        0,
        0,
        List.of(),
        null,
        frame,
        true,
        null,
        DriverMetadata.CONTEXT,
        DriverMetadata.CONTEXT.getConfig().getDefaultProfile());
  }

  @Override
  public int remaining() {
    return unread.size();
  }

  @Override
  public Iterable<Row> currentPage() {
    return () ->
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return !unread.isEmpty();
          }

          @Override
          public Row next() {
            return unread.remove();
          }
        };
  }

  @Override
  public boolean hasMorePages() {
    return next != null;
  }

  @Override
  public CompletionStage<AsyncResultSet> fetchNextPage() {
    return next == null ? CompletableFuture.failedFuture(new IllegalStateException()) : next;
  }

  @Override
  public boolean wasApplied() {
    return true;
  }
}
