package io.sluice.evaluate.report;

import java.util.List;

/** Builds the HTML page of a report. */
final class Html {
  private final StringBuilder out = new StringBuilder();

  /** Begins a page. */
  static Html page(String title, String style) {
    Html html = new Html();
    html.raw(
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title><style>%s</style></head><body><main>
        """
            .formatted(text(title), style));
    return html;
  }

  /** Appends an element with text. */
  Html element(String name, String text) {
    return raw("<" + name + ">" + text(text) + "</" + name + ">\n");
  }

  /** Appends an element with a class and text. */
  Html element(String name, String styleClass, String text) {
    return raw("<" + name + " class=\"" + styleClass + "\">" + text(text) + "</" + name + ">\n");
  }

  /**
   * Appends a table. A cell that begins with {@code !} is marked as worse, with {@code +} as
   * better, with {@code ~} as undecided.
   */
  Html table(List<String> head, List<List<String>> rows) {
    raw("<div class=\"scroll\"><table><thead><tr>");
    head.forEach(cell -> raw("<th>" + text(cell) + "</th>"));
    raw("</tr></thead><tbody>\n");
    for (List<String> row : rows) {
      raw("<tr>");
      row.forEach(this::cell);
      raw("</tr>\n");
    }
    return raw("</tbody></table></div>\n");
  }

  private void cell(String cell) {
    String styleClass =
        switch (cell.isEmpty() ? ' ' : cell.charAt(0)) {
          case '!' -> " class=\"worse\"";
          case '+' -> " class=\"better\"";
          case '~' -> " class=\"undecided\"";
          default -> "";
        };
    raw("<td" + styleClass + ">" + text(styleClass.isEmpty() ? cell : cell.substring(1)) + "</td>");
  }

  /** Appends HTML unchanged. */
  Html raw(String html) {
    out.append(html);
    return this;
  }

  /** Returns the whole page. */
  String end() {
    return out + "</main></body></html>\n";
  }

  /** Escapes the characters that have a meaning in HTML. */
  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
