package io.sluice.evaluate.report;

import java.util.List;

/** A part of a report, to be written as HTML or as Markdown. */
sealed interface Block {
  /** A heading; level 1 is the title. */
  record Heading(int level, String text) implements Block {}

  /** A paragraph. */
  record Text(String text) implements Block {}

  /** A finding. */
  record Found(Finding finding) implements Block {}

  /** A list of sentences. */
  record Bullets(List<String> items) implements Block {}

  /** A table, with marks in its cells as in {@link Html#table}. */
  record Table(List<String> head, List<List<String>> rows) implements Block {}

  /** A chart from the folder of charts. */
  record Chart(Charts.Drawn drawn) implements Block {}
}
