package io.sluice.decide.classify;

/** Finds the end of quoted names and strings, and their content. Stateless. */
final class QuotedText {

  private QuotedText() {}

  /**
   * Returns the index after a text between single or double quotes. A doubled quote does not end
   * it.
   *
   * @param start the index of the opening quote
   * @return −1 when the text has no end
   */
  static int end(String text, int start) {
    char quote = text.charAt(start);
    int i = text.indexOf(quote, start + 1);
    while (i >= 0 && Characters.at(text, i + 1) == quote) {
      i = text.indexOf(quote, i + 2);
    }
    return i < 0 ? -1 : i + 1;
  }

  /**
   * Returns the index after a text between double dollars.
   *
   * @param start the index of the first dollar
   * @return −1 when there is no second dollar, or the text has no end
   */
  static int endOfDollars(String text, int start) {
    int close = Characters.at(text, start + 1) == '$' ? text.indexOf("$$", start + 2) : -1;
    return close < 0 ? -1 : close + 2;
  }

  /** Returns what is between the quotes, with single quotes for doubled ones. */
  static String content(String text, int start, int end) {
    if (text.charAt(start) == '$') {
      return text.substring(start + 2, end - 2);
    }
    char quote = text.charAt(start);
    String content = text.substring(start + 1, end - 1);
    if (content.indexOf(quote) < 0) {
      return content;
    }
    String one = String.valueOf(quote);
    return content.replace(one + one, one);
  }
}
