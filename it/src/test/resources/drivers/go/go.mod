module sluice/goclient

go 1.19

require github.com/apache/cassandra-gocql-driver/v2 v2.1.2
