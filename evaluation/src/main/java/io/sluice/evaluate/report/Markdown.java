package io.sluice.evaluate.report;

import java.util.List;
import java.util.stream.Collectors;

/** Writes blocks as Markdown, with charts as links to PNG files. Pure. */
final class Markdown {
  private Markdown() {}

  static String of(List<Block> blocks, String chartFolder) {
    return blocks.stream().map(block -> of(block, chartFolder)).collect(Collectors.joining("\n"));
  }

  private static String of(Block block, String chartFolder) {
    if (block instanceof Block.Heading heading) {
      return "#".repeat(heading.level()) + " " + heading.text() + "\n";
    }
    if (block instanceof Block.Text text) {
      return text.text() + "\n";
    }
    if (block instanceof Block.Found found) {
      return "- " + found.finding().sentence() + "\n";
    }
    if (block instanceof Block.Bullets bullets) {
      return bullets.items().stream().map(item -> "- " + item + "\n").collect(Collectors.joining());
    }
    if (block instanceof Block.Chart chart) {
      return "![%s](%s/%s.png)\n"
          .formatted(chart.drawn().title(), chartFolder, chart.drawn().file());
    }
    Block.Table table = (Block.Table) block;
    return row(table.head())
        + "|"
        + "---|".repeat(table.head().size())
        + "\n"
        + table.rows().stream().map(Markdown::row).collect(Collectors.joining());
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replaceFirst("^[!+~]", "").replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
