package io.sluice.server.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of a terminal after some output, without colours. Knows only the sequences that a
 * full-screen display sends to a terminal of type {@code ansi}, and fails at any other. The cursor
 * waits behind the last column until the next character.
 */
final class AnsiScreen {

  private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[([0-9;?]*)([A-Za-z@])");

  private final char[][] cells;
  private int row;
  private int column;

  private AnsiScreen(int rows, int columns) {
    cells = new char[rows][columns];
    Arrays.stream(cells).forEach(line -> Arrays.fill(line, ' '));
  }

  /** Returns the lines that a terminal of this size shows, without blanks at their ends. */
  static List<String> lines(String output, int rows, int columns) {
    AnsiScreen screen = new AnsiScreen(rows, columns);
    screen.print(output);
    List<String> lines = new ArrayList<>();
    for (char[] line : screen.cells) {
      lines.add(new String(line).stripTrailing());
    }
    return lines;
  }

  private void print(String output) {
    Matcher sequence = SEQUENCE.matcher(output);
    int at = 0;
    while (at < output.length()) {
      if (sequence.find(at) && sequence.start() == at) {
        move(sequence.group(1), sequence.group(2).charAt(0));
        at = sequence.end();
      } else {
        print(output.charAt(at));
        at++;
      }
    }
  }

  private void print(char character) {
    if (character == '\r') {
      column = 0;
    } else if (character == '\n') {
      row++;
    } else if (character == '\b') {
      column--;
    } else if (Character.isISOControl(character)) {
      throw new AssertionError("unknown control character " + (int) character);
    } else {
      if (column == cells[row].length) {
        column = 0;
        row++;
      }
      cells[row][column] = character;
      column++;
    }
  }

  private void move(String parameters, char command) {
    int number = parameters.matches("[0-9]+") ? Integer.parseInt(parameters) : 1;
    switch (command) {
      case 'A' -> row -= number;
      case 'B' -> row += number;
      case 'C' -> column += number;
      case 'D' -> column -= number;
      case 'G' -> column = number - 1;
      case 'H' -> moveTo(parameters);
      case 'J' -> clear(row + 1);
      case 'K' -> Arrays.fill(cells[row], column, cells[row].length, ' ');
      case 'X' -> Arrays.fill(cells[row], column, column + number, ' ');
      case 'm', 'h', 'l' -> {
        // Colours and modes do not move text.
      }
      default -> throw new AssertionError("unknown sequence [" + parameters + command);
    }
  }

  private void moveTo(String parameters) {
    String[] place = parameters.split(";", -1);
    row = place[0].isEmpty() ? 0 : Integer.parseInt(place[0]) - 1;
    column = place.length < 2 ? 0 : Integer.parseInt(place[1]) - 1;
  }

  private void clear(int from) {
    Arrays.fill(cells[row], column, cells[row].length, ' ');
    for (int i = from; i < cells.length; i++) {
      Arrays.fill(cells[i], ' ');
    }
  }
}
