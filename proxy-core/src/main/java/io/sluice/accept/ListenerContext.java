package io.sluice.accept;

import io.sluice.memory.MemoryBudget;

/** The objects that all connections of one listener share. */
record ListenerContext(
    ListenConfig config,
    ClientHandler handler,
    FaultLog faults,
    DriverCounts drivers,
    MemoryBudget memory) {}
