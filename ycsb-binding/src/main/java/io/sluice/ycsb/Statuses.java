package io.sluice.ycsb;

import io.sluice.load.RequestFailure;
import site.ycsb.Status;

/** Maps failures to statuses for YCSB. */
final class Statuses {
  private Statuses() {}

  static Status of(RequestFailure failure) {
    return switch (failure) {
      case TIMEOUT -> new Status("TIMEOUT", "No response in time.");
      case OVERLOADED -> new Status("OVERLOADED", "Refused because of overload.");
      case UNAVAILABLE -> Status.SERVICE_UNAVAILABLE;
      case SHORT_READ -> new Status("SHORT_READ", "Fewer rows or columns than there are.");
      case WRONG_ROWS -> new Status("WRONG_ROWS", "Not the rows that were loaded.");
      case ERROR -> Status.ERROR;
    };
  }
}
