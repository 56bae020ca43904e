package io.sluice.watch;

import com.datastax.oss.driver.api.core.metadata.schema.AggregateMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionSignature;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.SchemaChangeListener;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.ViewMetadata;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import io.sluice.wire.SchemaChange;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes that the driver found, in the words of the protocol. The driver compares whole schemas,
 * so nothing is missed while its control connection moves to another node.
 */
final class SchemaEvents implements SchemaChangeListener {

  private final Consumer<SchemaChange> sink;

  SchemaEvents(Consumer<SchemaChange> sink) {
    this.sink = sink;
  }

  private void emit(
      String type,
      String target,
      com.datastax.oss.driver.api.core.CqlIdentifier keyspace,
      @Nullable String name,
      List<String> arguments) {
    sink.accept(new SchemaChange(type, target, keyspace.asInternal(), name, arguments));
  }

  private void keyspace(String type, KeyspaceMetadata keyspace) {
    emit(type, "KEYSPACE", keyspace.getName(), null, List.of());
  }

  private void table(String type, TableMetadata table) {
    emit(type, "TABLE", table.getKeyspace(), table.getName().asInternal(), List.of());
  }

  private void view(String type, ViewMetadata view) {
    emit(type, "TABLE", view.getKeyspace(), view.getName().asInternal(), List.of());
  }

  private void type(String type, UserDefinedType udt) {
    if (udt.getKeyspace() != null) {
      emit(type, "TYPE", udt.getKeyspace(), udt.getName().asInternal(), List.of());
    }
  }

  private void function(String type, FunctionMetadata function) {
    FunctionSignature signature = function.getSignature();
    emit(
        type,
        "FUNCTION",
        function.getKeyspace(),
        signature.getName().asInternal(),
        arguments(signature));
  }

  private void aggregate(String type, AggregateMetadata aggregate) {
    FunctionSignature signature = aggregate.getSignature();
    emit(
        type,
        "AGGREGATE",
        aggregate.getKeyspace(),
        signature.getName().asInternal(),
        arguments(signature));
  }

  private static List<String> arguments(FunctionSignature signature) {
    return signature.getParameterTypes().stream().map(each -> each.asCql(false, false)).toList();
  }

  @Override
  public void onKeyspaceCreated(KeyspaceMetadata keyspace) {
    keyspace("CREATED", keyspace);
  }

  @Override
  public void onKeyspaceDropped(KeyspaceMetadata keyspace) {
    keyspace("DROPPED", keyspace);
  }

  @Override
  public void onKeyspaceUpdated(KeyspaceMetadata current, KeyspaceMetadata previous) {
    keyspace("UPDATED", current);
  }

  @Override
  public void onTableCreated(TableMetadata table) {
    table("CREATED", table);
  }

  @Override
  public void onTableDropped(TableMetadata table) {
    table("DROPPED", table);
  }

  @Override
  public void onTableUpdated(TableMetadata current, TableMetadata previous) {
    table("UPDATED", current);
  }

  @Override
  public void onUserDefinedTypeCreated(UserDefinedType udt) {
    type("CREATED", udt);
  }

  @Override
  public void onUserDefinedTypeDropped(UserDefinedType udt) {
    type("DROPPED", udt);
  }

  @Override
  public void onUserDefinedTypeUpdated(UserDefinedType current, UserDefinedType previous) {
    type("UPDATED", current);
  }

  @Override
  public void onFunctionCreated(FunctionMetadata function) {
    function("CREATED", function);
  }

  @Override
  public void onFunctionDropped(FunctionMetadata function) {
    function("DROPPED", function);
  }

  @Override
  public void onFunctionUpdated(FunctionMetadata current, FunctionMetadata previous) {
    function("UPDATED", current);
  }

  @Override
  public void onAggregateCreated(AggregateMetadata aggregate) {
    aggregate("CREATED", aggregate);
  }

  @Override
  public void onAggregateDropped(AggregateMetadata aggregate) {
    aggregate("DROPPED", aggregate);
  }

  @Override
  public void onAggregateUpdated(AggregateMetadata current, AggregateMetadata previous) {
    aggregate("UPDATED", current);
  }

  @Override
  public void onViewCreated(ViewMetadata view) {
    view("CREATED", view);
  }

  @Override
  public void onViewDropped(ViewMetadata view) {
    view("DROPPED", view);
  }

  @Override
  public void onViewUpdated(ViewMetadata current, ViewMetadata previous) {
    view("UPDATED", current);
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
