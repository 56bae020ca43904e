package io.sluice.torture;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Scan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads a history as a file: a line of JSON for each fault, scan and operation, in order
 * of time.
 */
final class HistoryFile {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
          .addMixIn(Operation.class, Named.class);

  static {
    // Reads lists that older versions did not write as empty lists.
    JSON.configOverride(List.class).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
  }

  private HistoryFile() {}

  /** The names of the operations in the file. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Operation.Write.class, name = "write"),
    @JsonSubTypes.Type(value = Operation.Read.class, name = "read"),
    @JsonSubTypes.Type(value = Operation.Page.class, name = "page"),
    @JsonSubTypes.Type(value = Operation.Cas.class, name = "cas"),
    @JsonSubTypes.Type(value = Operation.SerialRead.class, name = "serial-read"),
    @JsonSubTypes.Type(value = Operation.Increment.class, name = "increment"),
    @JsonSubTypes.Type(value = Operation.CounterRead.class, name = "counter-read"),
    @JsonSubTypes.Type(value = Operation.Append.class, name = "append"),
    @JsonSubTypes.Type(value = Operation.ListRead.class, name = "list-read"),
    @JsonSubTypes.Type(value = Operation.Surplus.class, name = "surplus")
  })
  private interface Named {}

  /**
   * A line of the file; exactly one of the fields is set.
   *
   * @param asked number of requests
   */
  private record Line(
      @Nullable Long asked,
      @Nullable Disturbance fault,
      @Nullable Scan scan,
      @Nullable Operation operation) {}

  static void write(History history, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      line(out, new Line(history.asked(), null, null, null));
      for (Disturbance each : history.disturbances()) {
        line(out, new Line(null, each, null, null));
      }
      for (Scan each : history.scans()) {
        line(out, new Line(null, null, each, null));
      }
      for (Operation each : ordered(history)) {
        line(out, new Line(null, null, null, each));
      }
    }
  }

  static History read(Path file) throws IOException {
    long asked = 0;
    List<Operation> operations = new ArrayList<>();
    List<Scan> scans = new ArrayList<>();
    List<Disturbance> faults = new ArrayList<>();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String text = in.readLine(); text != null; text = in.readLine()) {
        Line line = JSON.readValue(text, Line.class);
        if (line.asked() != null) {
          asked = line.asked();
        }
        add(line.fault(), faults);
        add(line.scan(), scans);
        add(line.operation(), operations);
      }
    }
    return new History(asked, operations, scans, faults);
  }

  private static <T> void add(@Nullable T value, List<T> values) {
    if (value != null) {
      values.add(value);
    }
  }

  private static List<Operation> ordered(History history) {
    return history.operations().stream()
        .sorted(Comparator.comparingLong(each -> each.call().begin()))
        .toList();
  }

  private static void line(Writer out, Line line) throws IOException {
    out.write(JSON.writeValueAsString(line));
    out.write('\n');
  }
}
