package io.sluice.accept;

import io.sluice.memory.MemoryBudget;
import io.sluice.time.WallClock;

/** The objects that all connections of one listener share. */
record Door(
    ListenConfig config,
    ClientHandler handler,
    FaultLog faults,
    DriverCounts drivers,
    MemoryBudget memory,
    WallClock clock) {}
