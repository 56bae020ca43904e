package org.apache.cassandra.db;

public record DataLimits(int count) {}
