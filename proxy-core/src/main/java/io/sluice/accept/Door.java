package io.sluice.accept;

/** The things that all connections of one listener share. */
record Door(ListenConfig config, ClientHandler handler, FaultLog faults, MemoryBudget memory) {}
