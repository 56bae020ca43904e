package io.sluice.torture.check;

import io.sluice.torture.check.Operation.Cas;
import io.sluice.torture.check.Operation.Page;
import io.sluice.torture.check.Operation.Read;
import io.sluice.torture.check.Operation.Row;
import io.sluice.torture.check.Operation.SerialRead;
import io.sluice.torture.check.Operation.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * A small store whose requests take effect one after another, each at one moment. Clients overlap:
 * a request begins up to a few moments before its effect, and ends up to a few after. Some clients
 * get a failure, whether the request took effect or not.
 */
final class ModelStore {
  private static final int CLIENTS = 5;
  private static final int MOMENTS = 400;
  private static final int KEYS = 6;
  private static final int PAGE = 2;
  private static final long MOMENT = 10;
  private static final Failure TIMEOUT = new Failure(Failure.Kind.TIMEOUT, "");

  private final Random random;
  private final Map<Long, Long> rows = new HashMap<>();
  private final Map<Long, Long> registers = new HashMap<>();
  private final long[] freeFrom = new long[CLIENTS];
  private final long[] scanned = new long[CLIENTS];
  private final List<Operation> operations = new ArrayList<>();
  private final Map<Long, Scan> scans = new HashMap<>();
  private final long[] scanOf = new long[CLIENTS];
  private long lastValue;
  private long asked;

  ModelStore(long seed) {
    random = new Random(seed);
  }

  History run() {
    for (int moment = 1; moment <= MOMENTS; moment++) {
      int client = random.nextInt(CLIENTS);
      long at = moment * MOMENT;
      if (freeFrom[client] < at) {
        long begin = Math.max(freeFrom[client], at - random.nextInt(40)) + 1;
        begin = Math.min(begin, at);
        long end = at + random.nextInt(40);
        freeFrom[client] = end + 1;
        effect(client, begin, end);
      }
    }
    List<Scan> all =
        LongStream.range(0, scans.size()).mapToObj(number -> scans.get(number)).toList();
    return new History(
        asked,
        operations,
        all,
        List.of(new Disturbance("all the time", 0, MOMENTS * MOMENT, true)));
  }

  /**
   * Runs a request of a client. Clients 0 and 1 write, 2 and 3 change registers, 4 scans; all read.
   */
  private void effect(int client, long begin, long end) {
    boolean fails = random.nextInt(10) == 0;
    Call call = new Call(asked++, client, begin, end, fails ? TIMEOUT : null);
    boolean happens = !fails || random.nextBoolean();
    if (client == 4) {
      page(call);
    } else if (random.nextInt(3) == 0) {
      read(call, client >= 2);
    } else if (client < 2) {
      write(call, happens);
    } else {
      cas(call, happens);
    }
  }

  private void write(Call call, boolean happens) {
    long key = random.nextInt(KEYS / 2) * 2L + call.client();
    // Some keys are sometimes deleted, the others never.
    long value = key >= 4 && random.nextInt(4) == 0 ? Operation.ABSENT : ++lastValue;
    if (happens) {
      rows.put(key, value);
    }
    operations.add(new Write(call, key, value));
  }

  private void read(Call call, boolean serial) {
    long key = random.nextInt(serial ? 2 : KEYS);
    long seen = (serial ? registers : rows).getOrDefault(key, Operation.ABSENT);
    operations.add(
        serial ? new SerialRead(call, key, seen) : new Read(call, Level.QUORUM, key, seen));
  }

  private void cas(Call call, boolean happens) {
    long register = random.nextInt(2);
    long is = registers.getOrDefault(register, Operation.ABSENT);
    boolean guess = random.nextInt(4) > 0;
    long expected = guess ? is : 1_000_000 + asked;
    long value = ++lastValue;
    if (happens && guess) {
      registers.put(register, value);
    }
    operations.add(new Cas(call, register, expected, value, guess, guess ? 0 : is));
  }

  private void page(Call call) {
    int client = call.client();
    if (scanned[client] == 0) {
      scanOf[client] = scans.size();
      scans.put(
          scanOf[client],
          new Scan(scanOf[client], Level.QUORUM, 0, KEYS - 1, call.begin(), 0, false));
    }
    List<Row> shown = new ArrayList<>();
    if (call.acknowledged()) {
      for (long key = scanned[client]; key < scanned[client] + PAGE; key++) {
        long value = rows.getOrDefault(key, Operation.ABSENT);
        if (value != Operation.ABSENT) {
          shown.add(new Row(key, value));
        }
      }
      scanned[client] = (scanned[client] + PAGE) % KEYS;
    }
    operations.add(new Page(call, scanOf[client], shown));
    boolean whole = call.acknowledged() && scanned[client] == 0;
    Scan begun = scans.get(scanOf[client]);
    scans.put(
        scanOf[client],
        new Scan(scanOf[client], Level.QUORUM, 0, KEYS - 1, begun.begin(), call.end(), whole));
  }
}
