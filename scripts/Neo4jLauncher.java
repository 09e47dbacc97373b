import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/** Runs Neo4j Community until standard input closes: {@code Neo4jLauncher DIRECTORY}, which holds a neo4j.conf. */
public class Neo4jLauncher {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        var server = new DatabaseManagementServiceBuilder(home)
                .loadPropertiesFromFile(home.resolve("neo4j.conf"))
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        String password = System.getenv("NEO4J_PASSWORD");
        if (password != null) {
            var system = server.database("system");
            boolean fresh = system.executeTransactionally(
                    "SHOW USERS YIELD user, passwordChangeRequired WHERE user = 'neo4j' AND passwordChangeRequired",
                    Map.of(), result -> result.hasNext());
            if (fresh) {
                system.executeTransactionally(
                        "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
            }
        }
        if (!server.database("neo4j").isAvailable(60_000)) {
            throw new IllegalStateException("the database did not become available");
        }
        System.out.println("Started.");
        while (System.in.read() >= 0) { } // whoever started us holds the other end: when it goes, so do we
        if (Boolean.getBoolean("disposable")) {
            try (var files = Files.walk(home)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
            Runtime.getRuntime().halt(0);
        }
        System.exit(0);
    }
}
