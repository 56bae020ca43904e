package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares verdicts with a reviewed golden file. Every marker is bound to its position, from 1, and
 * a named marker to the length of its name. The value is a bigint for a token, else an int. Each
 * line is a statement, with {@code } for a line break.
 */
class GoldenVerdictsTest {
  private static final String FILE = "verdicts.txt";
  private static final Path ACTUAL = Path.of("target", FILE);

  /** Values by position: each marker has its position, as a number of {@code bytes} bytes. */
  private record Positions(int bytes) implements BoundValues {
    @Override
    public ByteBuffer get(int index) {
      return ByteBuffer.allocate(bytes).put(bytes - 1, (byte) (index + 1));
    }

    @Override
    public ByteBuffer get(String name) {
      return get(name.length() - 1);
    }
  }

  @Test
  void verdicts_equal_the_golden_file() throws IOException {
    String golden = golden();
    StringBuilder actual = new StringBuilder();
    String session = "ks";
    for (String line : golden.lines().toList()) {
      if (line.startsWith("# session: ")) {
        session = line.substring("# session: ".length());
      }
      if (!line.startsWith("    ")) {
        actual.append(line).append('\n');
      }
      if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("    ")) {
        actual.append("    ").append(verdict(line, session)).append('\n');
      }
    }
    Files.createDirectories(ACTUAL.toAbsolutePath().getParent());
    Files.writeString(ACTUAL, actual);
    assertThat(actual.toString())
        .as(
            "when the new verdicts are right: cp proxy-core/target/%s"
                + " proxy-core/src/test/resources/io/sluice/decide/classify/%s",
            FILE, FILE)
        .isEqualTo(golden);
  }

  private static String golden() throws IOException {
    try (InputStream in = GoldenVerdictsTest.class.getResourceAsStream(FILE)) {
      assertThat(in).as(FILE).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String verdict(String line, String session) {
    Classified verdict =
        new Classifier()
            .classify(
                line.replace("\\n", "\n").replace("\\t", "\t"),
                session.equals("none") ? null : session,
                TestTables.CATALOG,
                TestPartitioner.BYTE_SUMS);
    BoundValues ints = new Positions(Integer.BYTES);
    ByteBuffer key = verdict.routingKey(ints);
    Token start = verdict.startToken(new Positions(Long.BYTES));
    int limit = verdict.limit(ints);
    int partitions = verdict.partitions(ints);
    StringBuilder text = new StringBuilder(verdict.shape().name());
    if (verdict.keyspace() != null || verdict.table() != null) {
      text.append(' ').append(verdict.keyspace()).append('.').append(verdict.table());
    }
    text.append(verdict.qualified() ? " qualified" : "");
    text.append(verdict.conditional() ? " conditional" : "");
    text.append(verdict.markers() > 0 ? " markers=" + verdict.markers() : "");
    text.append(key == null ? "" : " key=" + hex(key));
    text.append(partitions > 1 ? " partitions=" + partitions : "");
    text.append(start == null ? "" : " from=" + start.toCql());
    text.append(limit < 0 ? "" : " limit=" + limit);
    text.append(described(verdict.own()));
    return text.append(verdict.select() == null ? "" : shown(verdict.select())).toString();
  }

  private static String described(@Nullable OwnStatement own) {
    if (own instanceof OwnStatement.Describe describe) {
      return " describes " + describe.what();
    }
    return own instanceof OwnStatement.DescribeAll all ? " describes " + all : "";
  }

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return HexFormat.of().formatHex(copy);
  }

  private static String shown(Select select) {
    Select.Projection projection = select.projection();
    StringBuilder text = new StringBuilder();
    text.append(projection.json() ? " json" : "").append(projection.distinct() ? " distinct" : "");
    text.append(" [");
    List<Select.Selector> selectors = projection.selectors();
    for (int i = 0; i < selectors.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(Shown.of(selectors.get(i).value()));
      Name alias = selectors.get(i).alias();
      text.append(alias == null ? "" : " as " + alias.text());
    }
    text.append("]");
    select.where().restrictions().forEach(r -> text.append(' ').append(Shown.of(r)));
    select.groupBy().forEach(g -> text.append(" group:").append(Shown.of(g)));
    for (Select.Ordering o : select.orderBy()) {
      text.append(" order:").append(o.column().text()).append(o.descending() ? " desc" : "");
      text.append(o.nearestTo() == null ? "" : " near " + Shown.of(o.nearestTo()));
    }
    Expression perPartition = select.limits().perPartition();
    text.append(perPartition == null ? "" : " per-partition:" + Shown.of(perPartition));
    return text.append(select.allowFiltering() ? " filtering" : "").toString();
  }
}
